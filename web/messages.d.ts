// The messages between the page and a back end, as far as the page reads them. docs/api.md defines them; this file is for the type checker alone.

declare namespace Api {
  type Color = "black" | "white";
  type Phase = "playing" | "marking" | "finished" | "review";

  type Seat = { kind: "person"; name?: string } | { kind: "engine"; level: number } | { kind: "program"; name: string };

  interface ClockSettings {
    main_seconds: number;
    byoyomi?: { periods: number; seconds: number };
    canadian?: { stones: number; seconds: number };
    increment?: number;
  }

  interface ClockSide {
    seconds: number;
    overtime: boolean;
    periods?: number;
    stones?: number;
    running: boolean;
  }

  interface Clock {
    settings: ClockSettings;
    black: ClockSide;
    white: ClockSide;
  }

  interface About {
    version: string;
    engine: { name: string; network?: string | null };
    rules: { id: string; komi: number; scoring?: string; ko?: string; suicide?: string }[];
    levels: number;
    sizes: { min: number; max: number };
    programs: string[];
    features: Record<string, boolean>;
    limits?: Record<string, number>;
  }

  interface Listing {
    id: string;
    title: string;
    /** Milliseconds since 1970. */
    updated: number;
    width: number;
    height: number;
    moves: number;
    phase: Phase;
    result: string | null;
  }

  interface Side {
    stones: number;
    territory: number;
    prisoners: number;
    komi: number;
    handicap: number;
    total: number;
  }

  interface Score {
    scoring?: "area" | "territory" | "area_and_prisoners";
    dame?: number;
    black: Side;
    white: Side;
    margin: number;
    text: string;
  }

  interface Tree {
    parents: (number | null)[];
    moves: string[];
    main: number[];
    has_comment: boolean[];
  }

  interface Sheet {
    id: string;
    version: number;
    title: string;
    width: number;
    height: number;
    rules: string;
    komi: number;
    handicap: number;
    black: Seat;
    white: Seat;
    clock: Clock | null;
    phase: Phase;
    live: number;
    to_move: Color;
    result?: { text: string; winner?: Color | null; reason?: string; parts?: Score } | null;
    thinking: boolean;
    paused: boolean;
    trouble?: string | null;
    style?: { variations: "children" | "siblings"; markup: boolean };
    info: Record<string, string>;
    tree: Tree;
    dead?: string[] | null;
    seki?: string[] | null;
    score?: Score | null;
    keep?: boolean;
  }

  type Reason = "occupied" | "suicide" | "ko" | "superko" | string;

  interface Illegal {
    point: string;
    reason: Reason;
    node?: number | null;
    number?: number | null;
  }

  interface View {
    node: number;
    number: number;
    to_move: Color;
    stones: string;
    last: { color: Color; point: string } | null;
    ko: string | null;
    captures: { black: number; white: number };
    illegal: Illegal[];
    marks: { point: string; kind: string }[];
    labels: { point: string; text: string }[];
    lines: { from: string; to: string; arrow: boolean }[];
    comment: string;
    annotations: Record<string, unknown>;
    children: { node: number; move: string }[];
    siblings?: { node: number; move: string }[];
    visible?: string[];
    name?: string;
  }

  interface Candidate {
    move: string;
    visits: number;
    winrate: number;
    lead: number;
    lost: number;
    prior?: number;
    lcb?: number;
    pv: string[];
  }

  interface Analysis {
    game: string;
    node: number;
    visits: number;
    winrate: number;
    lead: number;
    spread?: number;
    ownership?: number[] | null;
    /** Not there if the analysis has failed, as the numbers are not. */
    moves?: Candidate[];
    done: boolean;
    failed?: string;
  }

  interface ExactMove {
    move: string;
    lower: number;
    upper: number;
    complete: boolean;
    best: boolean;
  }

  interface Exact {
    game: string;
    node: number;
    lower: number;
    upper: number;
    complete: boolean;
    rule?: { ko: "positional" | "situational"; lower: number; upper: number };
    ko_rules?: string[];
    ignored: string[];
    moves: ExactMove[];
    nodes: number;
    done: boolean;
    more: boolean;
    failed?: string;
  }

  interface Reviewed {
    node: number;
    visits?: number;
    winrate: number;
    lead: number;
    best?: string | null;
    lost?: number | null;
  }

  interface Diagnostic {
    severity: string;
    message: string;
    line?: number | null;
    column?: number | null;
  }

  interface Estimate {
    ownership: number[];
    dead: string[];
    seki?: string[];
    score: Score;
    winrate?: number;
    lead?: number;
  }

  interface Hint {
    move: string;
    visits: number;
    winrate: number;
    lead: number;
    pv: string[];
  }

  interface Edit {
    do: string;
    [key: string]: unknown;
  }

  interface Event {
    event: string;
    game?: string;
    [key: string]: unknown;
  }

  interface Failure {
    code: string;
    message: string;
    data?: Record<string, any>;
  }
}

/** What answers the page: a server behind a socket, or the same code in a worker. */
interface Backend {
  call(method: string, params?: object): Promise<any>;
  on(event: string, listener: (message: any) => void): () => void;
  onState(listener: (state: "connecting" | "connected" | "reconnecting") => void): () => void;
  readonly state: "connecting" | "connected" | "reconnecting";
  /** Where a picture or the record of a game can be fetched from, and the name to save it under if the place does not tell. */
  file(game: string, kind: string, node?: number): Promise<{ address: string; name: string }>;
}
