// The messages between the page and a back end. Generated from the types in crates/tengen-app/src: do not edit this
// file, but those, and call `UPDATE_EXPECT=1 cargo test -p tengen-app --lib reference`.

declare namespace Api {
  /** What a host says about itself. */
  interface About {
    /** The version of Tengen. */
    version: string;
    /** Who thinks. */
    engine: Engine;
    /** The rules that a page offers. */
    rules: Rules[];
    /** How well the engine can play, the lowest level first. */
    levels: Level[];
    /** How long the sides of a board can be. */
    sizes: Sizes;
    /** The names of the programs that can take a seat. */
    programs: string[];
    /** What this host offers, by name. */
    features: Record<string, boolean>;
    /** How much is too much. */
    limits: Limits;
    /** May the caller change anything, or only look on? */
    may_play: boolean;
    /** The only seat that the caller may take, if somebody was invited to one. */
    seat?: InvitedSeat;
  }

  /** A node that was added to a game. */
  interface AddedNode {
    /** Its number. */
    node: Node;
    /** The node before it. */
    parent: Node;
    /** Its move. */
    move: Turn;
  }

  /** What a search found about a position. Numbers are Black's. */
  interface Analysis {
    /** The game. */
    game: GameId;
    /** The node of the position. */
    node: Node;
    /** How many times it was searched. */
    visits: number;
    /** The share of games that Black wins after the best move. */
    winrate: number;
    /** By how many points Black is ahead after the best move. */
    lead: number;
    /** The standard error of that number. */
    error: number;
    /** The moves that were searched, 30 at most. The first has the best lead of those that can be compared. */
    moves: Candidate[];
    /** Was this the last message? */
    done: boolean;
    /** Whose each point will be, from 1 for Black to -1, row by row. */
    ownership?: number[];
  }

  /** An answer over the WebSocket. */
  type Answer =
    /** The call was done. */
    | {
      /** The `id` of the call. */
      id: CallId;
      /** The result. */
      result: Record<string, any>;
    }
    /** The call was refused. */
    | {
      /** The `id` of the call. */
      id: CallId;
      /** Why. */
      error: Error;
    };

  /** Why one may not play on an empty point. */
  type Barred =
    /** The stone would have no liberties. */
    | "suicide"
    /** It would take back at once. */
    | "ko"
    /** It would recreate an earlier position. */
    | "superko";

  /** A way on. */
  interface Branch {
    /** The node. */
    node: Node;
    /** Its move. */
    move: Turn;
  }

  /** Japanese overtime. */
  interface Byoyomi {
    /** How many periods there are. */
    periods: number;
    /** The length of a period. */
    seconds: number;
  }

  /** A call over the WebSocket. */
  interface Call {
    /** What the answer is to be marked with: a number or a text of the caller's choice. */
    id: CallId;
    /** The method. */
    method: string;
    /** Its parameters, an empty object if they are left out. */
    params?: Record<string, any>;
  }

  /** What marks a call and its answer. */
  type CallId =
    /** A number. */
    | number
    /** A short text. */
    | string;

  /** Canadian overtime. */
  interface Canadian {
    /** The stones of a period. */
    stones: number;
    /** The length of a period. */
    seconds: number;
  }

  /** A move that was searched. */
  interface Candidate {
    /** The move. */
    move: Move;
    /** How many times it was searched. */
    visits: number;
    /** The share of games that Black wins after it. */
    winrate: number;
    /** By how many points Black is ahead after it. */
    lead: number;
    /** How many points less than with the best move its player has: 0 if that may be noise. */
    lost: number;
    /** The standard error of that number. */
    lost_error: number;
    /** Was it searched often enough to be compared with the best one? */
    compared: boolean;
    /** How likely it seemed at first. */
    prior: number;
    /** A share of games that its player, not Black, hardly falls short of. */
    lcb: number;
    /** The moves that are expected, this one first. */
    pv: Move[];
  }

  /** How many stones each player has captured. */
  interface Captures {
    /** The stones that Black has captured. */
    black: number;
    /** The stones that White has captured. */
    white: number;
  }

  /**
   * What is new about a game. Whoever has the sheet of the version before can make the new one of it: fields of the
   * sheet are replaced, and those that are null are gone.
   */
  interface Change {
    /** Nodes that are new, parents before their children. */
    added?: AddedNode[];
    /**
     * The game was paused because nobody who may play watched it for `limits.seconds_of_absence` (`about`) while a
     * clock ran.
     */
    away?: boolean | null;
    /** Who plays Black. */
    black?: Seat;
    /** In phase `review`: can an edit be made again that was taken back? */
    can_redo?: boolean | null;
    /** In phase `review`: can the last edit be taken back? */
    can_undo?: boolean | null;
    /** Null when the game has no clock any more. What clocks show is told by `clock` events. */
    clock?: null;
    /** The stones that are dead, in phase `marking`, and in `finished` if the game was counted. */
    dead?: Point[] | null;
    /** True when the game is gone. */
    deleted?: boolean;
    /** Nodes whose view may be another now, and with it that of nodes behind them. */
    edited?: Node[];
    /** The colour that somebody elsewhere was invited to play (`game.invite`). */
    guest?: Color | null;
    /** Black's handicap stones. */
    handicap?: number;
    /** The number of rows. */
    height?: number;
    /** All facts about the game, when one has changed. */
    info?: Record<string, string>;
    /** White's komi in points. */
    komi?: number;
    /** The node where the game stands. */
    live?: Node;
    /** The main line, when it is not simply longer by nodes that were added. */
    main?: Node[];
    /** What the tree says now of the nodes that were edited, and of those that were added with a comment. */
    nodes?: ChangedNode[];
    /** Milliseconds between two moves of a game without persons and clocks, at least (`game.pace`). */
    pace?: number | null;
    /** It would be the turn of an engine or a program, and it waits for `game.resume`. */
    paused?: boolean;
    /** What is being done with the game. */
    phase?: Phase;
    /** Nodes that are gone. */
    removed?: Node[];
    /** How the game has ended. */
    result?: Result | null;
    /** The name of the rules. */
    rules?: string;
    /** The count, in the same phases. */
    score?: Score | null;
    /** The stones that are in seki, in the same phases. */
    seki?: Point[] | null;
    /**
     * The empty points and the dead stones that count for each side, in the same phases, once the engine has made its
     * proposal or somebody has marked something.
     */
    territory?: Territory | null;
    /** An engine or a program thinks about a move or about the dead stones, or will as soon as somebody watches. */
    thinking?: boolean;
    /** What people call the game. */
    title?: string;
    /** Whose turn it is there. */
    to_move?: Color;
    /**
     * Why an engine or a program could not move; the game is then paused. Or why the game could not be saved, if it is
     * `unsaved`.
     */
    trouble?: string | null;
    /**
     * The game could not be saved. Until it is, it does not go on: calls that would change it are refused, and clocks
     * stand still.
     */
    unsaved?: boolean | null;
    /** Who plays White. */
    white?: Seat;
    /** The number of columns. */
    width?: number;
  }

  /** What the tree of a sheet says about a node. */
  interface ChangedNode {
    /** Its number. */
    node: Node;
    /** Its move. */
    move: Turn;
    /** Does it have a comment? */
    has_comment: boolean;
  }

  /** The clocks of both players. */
  interface Clock {
    /** How the time is regulated. */
    settings: ClockSettings;
    /** Black's clock. */
    black: ClockSide;
    /** White's clock. */
    white: ClockSide;
  }

  /** How the time of a game is regulated: absolute, unless one of the options is given. */
  interface ClockSettings {
    /** Before any overtime begins. */
    main_seconds: number;
    /** Periods that begin anew with every move that is made in time: Japanese overtime. */
    byoyomi?: Byoyomi;
    /** Periods in which so many stones must be played: Canadian overtime. */
    canadian?: Canadian;
    /** Seconds that each move adds. */
    increment?: number;
  }

  /** A player's clock. Count `seconds` down while it is `running`; a `clock` event comes when a period ends. */
  interface ClockSide {
    /** What is left of the main time, or in overtime of the period. */
    seconds: number;
    /** Is the main time over, and are there periods? */
    overtime: boolean;
    /** Does it run? */
    running: boolean;
    /** The periods left, this one included. */
    periods?: number;
    /** The stones to be played in the period. */
    stones?: number;
  }

  /** The kind of refusal. */
  type Code =
    /** There is no such method. */
    | "unknown_method"
    /** Parameters are missing, misspelt or out of range. */
    | "invalid_params"
    /** There is no such game. */
    | "no_game"
    /** The game has no such node. */
    | "no_node"
    /**
     * The rules forbid the move. The data has `point` and `reason`: `occupied`, `suicide`, `ko`, `superko` or
     * `off_board`; for `superko` also `node` and `number` of the earlier position that would return.
     */
    | "illegal_move"
    /** A chain without liberties was set up. The data has `point`. */
    | "illegal_setup"
    /** An engine or a program is to move. The data has `color`. */
    | "not_your_turn"
    /** The game has moved on: `node` is not where it stands. The data has `live`. */
    | "not_live"
    /** It cannot be done in this phase of the game. The data has `phase`. */
    | "wrong_phase"
    /** No move of a person can be taken back. */
    | "nothing_to_undo"
    /**
     * What was done, or what was done before, is not on disk. The host keeps it in memory and tries again; until it is
     * written, the game does not go on.
     */
    | "not_saved"
    /** Who may only look on has tried to change something. */
    | "read_only"
    /** The engine still works on it. */
    | "busy"
    /** It is too much; `about` tells most limits. The data has `what` and `limit`. */
    | "limit"
    /** The file is no record of a game. The data may have `line` and `column`. */
    | "unreadable"
    /** The call was replaced by a newer one, or its game is gone. */
    | "cancelled"
    /** The engine or program failed. */
    | "engine_failed"
    /** This host does not offer it. */
    | "unsupported";

  /** A player, as messages name one. */
  type Color =
    /** Black. */
    | "black"
    /** White. */
    | "white";

  /** A value for each generation; null where there is none. */
  interface Curves {
    /** The loss of the policy. */
    policy: (number | null)[];
    /** The loss of the value. */
    value: (number | null)[];
    /** The loss of the lead. */
    lead: (number | null)[];
    /** The loss of the ownership. */
    ownership: (number | null)[];
    /** Games of self-play an hour. */
    games_per_hour: (number | null)[];
    /** The mean length of games. */
    moves: (number | null)[];
    /** The share of points that Black gets, from 0 to 1. */
    black_wins: (number | null)[];
    /** The share of hopeless games that were not lost, from 0 to 1. */
    resignations_wrong: (number | null)[];
  }

  /** What was wrong with a file. */
  interface Diagnostic {
    /** How bad it is. */
    severity: Severity;
    /** A sentence in English. */
    message: string;
    /** The column of the line. */
    column?: number;
    /** The line of the file. */
    line?: number;
  }

  /** A change at a node. Null takes away, and so do empty texts. */
  type Edit =
    /** What is said about the node. */
    | {
      do: "comment";
      /** The comment. */
      text: string;
    }
    /** What the node is called. */
    | {
      do: "name";
      /** The name. */
      text: string;
    }
    /** A mark on a point, in place of others there. */
    | {
      do: "mark";
      /** The point. */
      point: Point;
      /** The mark. */
      kind?: MarkKind | null;
    }
    /** A text on a point. */
    | {
      do: "label";
      /** The point. */
      point: Point;
      /** The text. */
      text?: string | null;
    }
    /** A line or an arrow. */
    | {
      do: "line";
      /** Where it begins. */
      from: Point;
      /** Where it ends. */
      to: Point;
      /** False for a line, true for an arrow. */
      arrow?: boolean | null;
    }
    /** A judgement or a number. */
    | {
      do: "annotation";
      /** Its SGF name, as in the annotations of a view. */
      key: string;
      /** Its value. */
      value?: number | null;
    }
    /** A fact about the game. */
    | {
      do: "info";
      /** Its name, as in the info of a sheet. */
      key: string;
      /** What the record is to say. */
      value?: string | null;
    }
    /** A stone that is set up, or taken away. At a node with a move, a child is made for the stones. */
    | {
      do: "setup";
      /** The point. */
      point: Point;
      /** The colour of the stone. */
      color?: Color | null;
    }
    /** Whose turn it is. */
    | {
      do: "to_move";
      /** The player. */
      color: Color;
    }
    /** The node is removed with all behind it; its parent is where the edits end. */
    | {
      do: "remove";
    }
    /** The node becomes part of the main line. */
    | {
      do: "promote";
    }
    /**
     * Moves from elsewhere are added behind the node: the first game of a text, or what follows its first node if that
     * has neither a move nor stones. The first node that was added is where the edits end.
     */
    | {
      do: "paste";
      /** The text, SGF. */
      text: string;
    };

  /** What was edited. */
  interface Edited {
    /** The node at which the edits ended. */
    node: Node;
    /** The version of the game with the edits. */
    version: number;
    /** The position there. */
    view: View;
  }

  /** Why a game has ended. */
  type EndReason =
    /** It was counted. */
    | "score"
    /** A player gave up. */
    | "resignation"
    /** A clock ran out. */
    | "time"
    /** A position was repeated that may not be. */
    | "repetition"
    /** A player broke the rules of the event. */
    | "forfeit"
    /** Nobody has more points. */
    | "draw"
    /** There is no result. */
    | "void"
    /** The record says something else. */
    | "unknown";

  /** The engine of a host. */
  interface Engine {
    /** What it is called. */
    name: string;
    /** What its network is called, if it has one. */
    network: string | null;
  }

  /** Why a call was refused: a code for programs, a sentence for people, and what they may want to know besides. */
  interface Error {
    /** The kind of refusal: a `Code`, or one of the host's for what it refuses before a call is looked at. */
    code: string;
    /** A sentence in English. */
    message: string;
    /** Facts that belong to the code, such as the point of an illegal move. */
    data?: Record<string, any>;
  }

  /** The score as it will probably be. */
  interface Estimate {
    /** Whose each point will be, from 1 for Black to -1, row by row. */
    ownership: number[];
    /** The stones that are dead. */
    dead: Point[];
    /** The stones that are in seki. */
    seki: Point[];
    /** The count. */
    score: Score;
    /** The share of games that Black wins. */
    winrate: number;
    /** By how many points Black is ahead. */
    lead: number;
  }

  /** What a viewer is told over the WebSocket without having asked. As JSON it has its name as `event`. */
  type Event =
    /** A game has changed. Those who watch it are told. */
    | {
      event: "game";
      /** The game. */
      game: GameId;
      /** Its version now. */
      version: number;
      /** What is new. */
      change: Change;
    }
    /** Clocks have started, stopped or begun a new period. */
    | {
      event: "clock";
      /** The game. */
      game: GameId;
      /** Black's clock. */
      black: ClockSide;
      /** White's clock. */
      white: ClockSide;
    }
    /** A search has found something. */
    | {
      event: "analysis";
      /** The game. */
      game: GameId;
      /** The node of the position. */
      node: Node;
      /** How many times it was searched. */
      visits: number;
      /** The share of games that Black wins after the best move. */
      winrate: number;
      /** By how many points Black is ahead after the best move. */
      lead: number;
      /** The standard error of that number. */
      error: number;
      /** The moves that were searched, 30 at most. The first has the best lead of those that can be compared. */
      moves: Candidate[];
      /** Was this the last message? */
      done: boolean;
      /** Whose each point will be, from 1 for Black to -1, row by row. */
      ownership?: number[];
    }
    /** A search has failed, or its position is gone. */
    | {
      event: "analysis";
      /** The game. */
      game: GameId;
      /** The node. */
      node: Node;
      /** Why. */
      failed: string;
      /** Nothing more follows. */
      done: true;
    }
    /** Something is proven about a position. */
    | {
      event: "exact";
      /** The game. */
      game: GameId;
      /** The node of the position. */
      node: Node;
      /** Black forces at least this. */
      lower: number;
      /** White forces at most this. Where both are equal, that is the value. */
      upper: number;
      /** Has everything been tried to narrow these bounds? If they do not meet then, the ko rule decides. */
      complete: boolean;
      /** What the rules of the game have and the numbers leave out. */
      ignored: Ignored[];
      /** All legal moves, row by row, a pass at the end. */
      moves: ExactMove[];
      /**
       * Situations that were looked at. Effort is counted in these and not in time, so that the same is found on every
       * machine.
       */
      nodes: number;
      /** Is nothing more to come unless somebody asks for it? */
      done: boolean;
      /** Would a call with `more: true` find out more? */
      more: boolean;
      /** The ko rules under which an independent checker grants the value, if there is one and it was asked. */
      ko_rules?: Ko[];
      /** The bounds under the superko rule of the game, where they are known and the ko rule decides. */
      rule?: ExactRule;
      /** Certificates that the host was started with and that have an answer here. The bounds do not know of them. */
      stored?: StoredProof[];
    }
    /** A proof has failed, or its position is gone. */
    | {
      event: "exact";
      /** The game. */
      game: GameId;
      /** The node. */
      node: Node;
      /** Why. */
      failed: string;
      /** Nothing more follows. */
      done: true;
    }
    /** The search for a proof goes on. */
    | {
      event: "proof";
      /** The game. */
      game: GameId;
      /** The node where the walk begins. */
      node: Node;
      /** Situations that were looked at. */
      nodes: number;
      /** Is it found, so that it is only to be written down and checked? */
      found: boolean;
    }
    /** A review has looked at a position. What it found may also settle what is known of the position before. */
    | {
      event: "review";
      /** The game. */
      game: GameId;
      /** Does it go on? */
      running: boolean;
      /** The round: 0 is the first look at all positions, later ones look closer at those that matter. */
      round: number;
      /** How many positions of the round were looked at. */
      done: number;
      /** How many there are. */
      total: number;
      /** The node of the position. */
      node: Node;
      /** How many times it was searched. */
      visits: number;
      /** The share of games that Black wins. */
      winrate: number;
      /** By how many points Black is ahead. */
      lead: number;
      /** The standard error of that number. */
      error: number;
      /** The best move. */
      best: Move;
      /** The moves that are expected, the best one first. */
      pv: Move[];
      /** Moves that are as good as the best one, which is the first. */
      good: Move[];
      /**
       * Whose each point will be, a letter a point, row by row: from `a` for White over `k` for nobody to `u` for
       * Black.
       */
      ownership: string;
      /** Would more visits hardly change what the move is worth that was played here? */
      settled: boolean;
      /** What the move was worth that was played here, found by the same search. */
      next?: Next;
    }
    /** A review has failed, and ends. */
    | {
      event: "review";
      /** The game. */
      game: GameId;
      /** How many positions were looked at. */
      done: number;
      /** How many there are. */
      total: number;
      /** Why. */
      failed: string;
    };

  /**
   * What is proven about a position and each of its moves. Numbers are Black's points minus White's, by area and
   * without komi.
   */
  interface Exact {
    /** The game. */
    game: GameId;
    /** The node of the position. */
    node: Node;
    /** Black forces at least this. */
    lower: number;
    /** White forces at most this. Where both are equal, that is the value. */
    upper: number;
    /** Has everything been tried to narrow these bounds? If they do not meet then, the ko rule decides. */
    complete: boolean;
    /** What the rules of the game have and the numbers leave out. */
    ignored: Ignored[];
    /** All legal moves, row by row, a pass at the end. */
    moves: ExactMove[];
    /**
     * Situations that were looked at. Effort is counted in these and not in time, so that the same is found on every
     * machine.
     */
    nodes: number;
    /** Is nothing more to come unless somebody asks for it? */
    done: boolean;
    /** Would a call with `more: true` find out more? */
    more: boolean;
    /** The ko rules under which an independent checker grants the value, if there is one and it was asked. */
    ko_rules?: Ko[];
    /** The bounds under the superko rule of the game, where they are known and the ko rule decides. */
    rule?: ExactRule;
    /** Certificates that the host was started with and that have an answer here. The bounds do not know of them. */
    stored?: StoredProof[];
  }

  /** What is proven about a move. */
  interface ExactMove {
    /** The move. */
    move: Move;
    /** Black forces at least this after it. */
    lower: number;
    /** White forces at most this. */
    upper: number;
    /** Has everything been tried to narrow these bounds? */
    complete: boolean;
    /** Is no other move known to be better, counting first what is sure and then what may be? */
    best: boolean;
  }

  /** What is proven under one ko rule. */
  interface ExactRule {
    /** The rule. */
    ko: Superko;
    /** Black forces at least this. */
    lower: number;
    /** White forces at most this. */
    upper: number;
  }

  /** A fact about a move that was played, beside the better one. */
  interface Fact {
    /** What happens. */
    kind: FactKind;
    /** How many stones it is about; 0 if it is about none. */
    stones: number;
    /** About how many points it is worth. */
    points: number;
    /** Where: the move that does it, or one of the stones. */
    at?: Point;
    /** The part of the board, for a region that is lost. */
    region?: Region;
  }

  /** What happens after a move that was played, beside the better one. "Own" stones are those of who played it. */
  type FactKind =
    /** Own stones are captured in what is expected to follow. */
    | "captured"
    /** The better move captures stones; this one does not. */
    | "missed_capture"
    /** Own stones die that the better move keeps alive. */
    | "dies"
    /** Enemy stones live that the better move kills. */
    | "lives"
    /** Own stones have a single liberty because of the move. */
    | "self_atari"
    /** Own stones that were in atari still are; the better move saves them. */
    | "left_in_atari"
    /** Own stones can be caught in a ladder. */
    | "ladder"
    /** The answer cuts own stones off. */
    | "cut_off"
    /** The better move cuts enemy stones off. */
    | "missed_cut"
    /** A part of the board goes to the enemy. */
    | "region"
    /** The better move is in another part of the board. */
    | "elsewhere"
    /** The move was a pass, and there was something to play. */
    | "passed";

  /** The fair komi of a board. */
  interface FairKomi {
    /** The board, such as `9x9`. */
    size: string;
    /** The komi by generation. */
    points: FairKomiPoint[];
  }

  /** The komi that a generation takes for fair. */
  interface FairKomiPoint {
    /** The generation. */
    generation: number;
    /** When it ended. */
    hours: number;
    /** The komi. */
    komi: number;
  }

  /** A group whose fate a move has changed. */
  interface Fate {
    /** What is proven about it after the move. */
    fate: FateName;
    /** Whose stones they are. */
    color: Color;
    /** How many. */
    stones: number;
    /** One of them. */
    at: Point;
    /** The moves that would have saved the group, or killed it. */
    instead: Move[];
  }

  /** What is proven about a group. */
  type FateName =
    /** It is captured, whatever its owner does and whatever ko threats there are. The move before could save it. */
    | "dead"
    /** It is never captured, whatever the other player does. The move before could kill it. */
    | "alive";

  /** What a move has decided for certain. */
  interface Fates {
    /** The groups whose fate it is, the largest first. */
    fates: Fate[];
  }

  /** A file to be saved by somebody. */
  interface File {
    /** What it is to be called. */
    name: string;
    /** Its media type. */
    type: string;
    /** What is in it. */
    text: string;
  }

  /** What is in a file. */
  type FileKind =
    /** The record, with what a review has found in properties that other programs leave alone. */
    | "sgf"
    /** The record, with what a review has found in comments, too. */
    | "comments.sgf"
    /** A position. */
    | "svg"
    /** The game, played move by move. */
    | "animation";

  /** A game in which a position came up. */
  interface FoundGame {
    /** Its name. */
    id: GameId;
    /** What people call it. */
    title: string;
    /** The result as records write it. */
    result: string | null;
    /** The node of the position. */
    node: Node;
    /** The number of the last move there. */
    number: number;
  }

  /** Games in which a position came up. */
  interface FoundGames {
    /** The games, the latest first, each with the first position that is the same. */
    games: FoundGame[];
    /** What was played next, the most frequent first, on the board that was asked about. */
    next: NextMove[];
  }

  /** The name of a game. */
  type GameId = string;

  /** The games that are kept. */
  interface GameList {
    /** The games, the latest first. */
    games: Listing[];
  }

  /** A good move. */
  interface Hint {
    /** The move. */
    move: Move;
    /** How many times the position was searched. */
    visits: number;
    /** The share of games that Black wins. */
    winrate: number;
    /** By how many points Black is ahead. */
    lead: number;
    /** The moves that are expected, this one first. */
    pv: Move[];
  }

  /** What the rules of a game have and the solver leaves out. */
  type Ignored =
    /** The rules count territory; the numbers count area. */
    | "territory"
    /** The rules allow suicide. */
    | "suicide"
    /** Boards before the position may forbid something; it is taken for the first of its game. */
    | "history";

  /** An empty point where one may not play. */
  interface Illegal {
    /** The point. */
    point: Point;
    /** Why not. */
    reason: Barred;
    /** The node of the earlier position that a stone there would recreate. */
    node?: Node;
    /** The number of the last move in that position. */
    number?: number;
  }

  /** A seat of a game. */
  interface InvitedSeat {
    /** The game. */
    game: GameId;
    /** The colour. */
    color: Color;
  }

  /** What the solver says about a position of a problem. */
  interface JudgedPosition {
    /** What becomes of the target when the player to move goes on. */
    verdict: VerdictName;
    /** Is the target captured already, or safe even if its owner plays no more? */
    decided: boolean;
    /** All moves that reach as much as can be reached; a pass if none is needed. */
    moves: Move[];
    /** What to play: the shortest way to that, or the move that holds out longest. */
    reply: Move | null;
    /** The moves of the longest line until it is decided, if they are known. */
    length: number | null;
  }

  /** Which repetitions are forbidden. */
  type Ko =
    /** Taking back at once. */
    | "simple"
    /** Any earlier board. */
    | "positional"
    /** Any earlier board with the same player to move. */
    | "situational";

  /** A text on a point. */
  interface Label {
    /** Where it is. */
    point: Point;
    /** What it says. */
    text: string;
  }

  /** The last stone that was played. */
  interface Last {
    /** Whose it is. */
    color: Color;
    /** Where it is. */
    point: Point;
  }

  /** How well the engine plays. */
  interface Level {
    /** Its number, as a seat has it. */
    level: number;
    /** About the rank of a person who wins every other game against it, as records write it: `12k`, `1d`. */
    rank: string;
  }

  /** How much is too much. */
  interface Limits {
    /** Games of the host. */
    games: number;
    /** Nodes of a game. */
    nodes: number;
    /** Nodes of a game behind each other. */
    nodes_in_a_row: number;
    /** Bytes of a file that is opened. */
    bytes_of_a_file: number;
    /** Games of a file that is opened. */
    games_of_a_file: number;
    /** Bytes of a comment. */
    bytes_of_a_comment: number;
    /** Bytes of a name, a label and other single lines. */
    bytes_of_a_line: number;
    /** Edits in one call. */
    edits: number;
    /** Visits that may be asked for. */
    visits: number;
    /** Points of a board about which anything is proven. */
    points_of_an_exact_board: number;
    /** Seconds on a clock. */
    seconds_on_a_clock: number;
    /** Seconds after which a game against an engine is paused that nobody watches while a clock runs. */
    seconds_of_absence: number;
  }

  /** A line or an arrow. */
  interface Line {
    /** Where it begins. */
    from: Point;
    /** Where it ends. */
    to: Point;
    /** Is it an arrow? */
    arrow: boolean;
  }

  /** A game in a list. */
  interface Listing {
    /** Its name. */
    id: GameId;
    /** What people call it. */
    title: string;
    /** When it last changed, in milliseconds since 1970. */
    updated: number;
    /** The number of columns. */
    width: number;
    /** The number of rows. */
    height: number;
    /** How many moves were played. */
    moves: number;
    /** What is being done with it. */
    phase: Phase;
    /** Who plays Black. */
    black: Seat;
    /** Who plays White. */
    white: Seat;
    /** Was it begun here? Then the title only repeats who plays. */
    native: boolean;
    /** The result as records write it. */
    result: string | null;
    /** Who played Black, as the record has it. */
    black_name: string | null;
    /** Who played White, as the record has it. */
    white_name: string | null;
    /** When it was played, as the record has it. */
    date: string | null;
    /** Words by which people find it again, with commas between them. */
    tags: string | null;
  }

  /** A mark on a point. */
  interface Mark {
    /** Where it is. */
    point: Point;
    /** What it looks like. */
    kind: MarkKind;
  }

  /** A mark on a point. */
  type MarkKind =
    /** A triangle. */
    | "triangle"
    /** A square. */
    | "square"
    /** A circle. */
    | "circle"
    /** A cross. */
    | "cross"
    /** The point is selected. */
    | "selected"
    /** The point is greyed out. */
    | "dim"
    /** The point is Black's. */
    | "territory_black"
    /** The point is White's. */
    | "territory_white";

  /** A point, or `pass`. */
  type Move = string;

  /** What a move is worth. */
  interface MoveJudged {
    /** The move. */
    move: Move;
    /** How many times it was searched. */
    visits: number;
    /** The share of games that Black wins after it. */
    winrate: number;
    /** By how many points Black is ahead after it. */
    lead: number;
    /**
     * How many points it cost the one who made it: 0 for the best move, and for one that falls behind it by less than
     * two standard errors.
     */
    lost: number;
    /** The standard error of that number. */
    lost_error: number;
    /** The moves that are expected, this one first. */
    pv: Move[];
    /** Why it is worse than the best one, the most important fact first. */
    facts: Fact[];
    /** Is it as good as the best move? */
    is_good: boolean;
    /** The best move. */
    best: Move;
    /** By how many points Black is ahead after the best move. */
    best_lead: number;
    /** The moves that are expected, the best one first. */
    best_pv: Move[];
  }

  /** A network that somebody has brought. */
  interface Network {
    /** The name of its file. */
    name: string;
    /** What it says of itself; empty if it was not read yet. */
    about: string;
    /** The bytes of its file. */
    bytes: number;
    /** Does the engine judge by it? */
    chosen: boolean;
  }

  /** The networks that people have brought. */
  interface NetworkList {
    /** By their names. */
    networks: Network[];
    /** How many bytes the file of one may have. */
    most_bytes: number;
  }

  /** What a move was worth, beside the best one. */
  interface Next {
    /** The node that it led to. */
    node: Node;
    /** The move. */
    move: Move;
    /** How many times it was searched. */
    visits: number;
    /** The share of games that Black wins after it. */
    winrate: number;
    /** By how many points Black is ahead after it. */
    lead: number;
    /**
     * How many points it cost the one who made it: 0 for the best move, and for one that falls behind it by less than
     * two standard errors.
     */
    lost: number;
    /** The standard error of that number. */
    lost_error: number;
    /** The moves that are expected, this one first. */
    pv: Move[];
    /** Why it is worse than the best one, the most important fact first. */
    facts: Fact[];
  }

  /** A move that was played next. */
  interface NextMove {
    /** The move, as on the board that was asked about. */
    move: Move;
    /** Whose move it is. */
    color: Color;
    /** In how many games it was played. */
    count: number;
    /** How many of them Black has won. */
    black_wins: number;
    /** How many of them White has won. */
    white_wins: number;
  }

  /** The number of a node of a game's tree. The root is 0. */
  type Node = number;

  /** Nothing but that the call was not refused. */
  interface Nothing {}

  /** What was opened. */
  interface Opened {
    /** The games of the file. */
    games: OpenedGame[];
    /** What was wrong with the file. */
    diagnostics: Diagnostic[];
  }

  /** A game that was opened. */
  interface OpenedGame {
    /** Its name. */
    id: GameId;
    /** What people call it. */
    title: string;
  }

  /** The results against an opponent. */
  interface Opponent {
    /** Who it is. */
    name: string;
    /** The results by generation. */
    points: OpponentPoint[];
  }

  /** The result of a generation against an opponent. */
  interface OpponentPoint {
    /** The generation. */
    generation: number;
    /** When it ended. */
    hours: number;
    /** The share of points that it got, from 0 to 1. */
    share: number;
    /** How many games were played. */
    games: number;
  }

  /** Which part of a board is looked for. */
  type Part =
    /** All of it. */
    | "board"
    /** The quarter in the upper left, middle lines included. */
    | "upper_left"
    /** The quarter in the upper right. */
    | "upper_right"
    /** The quarter in the lower left. */
    | "lower_left"
    /** The quarter in the lower right. */
    | "lower_right";

  /** What is being done with a game. */
  type Phase =
    /** It is played. */
    | "playing"
    /** Both have passed, and dead stones are marked. */
    | "marking"
    /** It has ended. */
    | "finished"
    /** It is walked through and edited. */
    | "review";

  /** A picture as text. */
  interface PictureText {
    /** The picture. */
    svg: string;
  }

  /** A move that was played. */
  interface Played {
    /** The node of the move. */
    node: Node;
    /** The version of the game with the move. */
    version: number;
    /** The position after it. */
    view: View;
  }

  /** A point as in GTP, such as `Q16`: columns from the left without I, rows from the bottom. */
  type Point = string;

  /** A problem. */
  interface Problem {
    /** What the record calls it. */
    title: string | null;
    /** The number of columns. */
    width: number;
    /** The number of rows. */
    height: number;
    /** The position as a diagram that `games.new` takes. */
    position: string;
    /** Whose turn it is. */
    to_move: Color;
    /** The stones that it is about, if the record marks any (TR, SQ, CR or MA). */
    target: Point[];
    /** Where is played, if the record selects a part of the board (SL or VW). */
    region: Point[];
    /** What is to be done, if the record says so (GE): `capture`, `save` or `live`. */
    goal: string | null;
    /** How hard the record says that it is (DI), such as `15k`. */
    level: string | null;
    /** What the record says about it. */
    comment: string;
    /** The solution. */
    tree: SolutionTree;
  }

  /** The problems of a file. */
  interface ProblemSet {
    /** The problems, in the order of the file. */
    problems: Problem[];
    /** What was wrong with the file. */
    diagnostics: Diagnostic[];
  }

  /** A proof to walk through. */
  interface Proof {
    /** The positions in which it says what to play, symmetric ones counted once. */
    positions: number;
    /** The replies of the other player that were tried against it. */
    replies: number;
    /** The ko rules under which it holds. */
    ko_rules: Ko[];
    /**
     * Has the checker accepted it here? A large certificate that the host was started with is taken at its word, and
     * then there are neither replies nor ko rules.
     */
    checked: boolean;
  }

  /** How far the search for a proof has come. */
  interface ProofProgress {
    /** The game. */
    game: GameId;
    /** The node where the walk begins. */
    node: Node;
    /** Situations that were looked at. */
    nodes: number;
    /** Is it found, so that it is only to be written down and checked? */
    found: boolean;
  }

  /** What came of a search for a proof. */
  interface ProofSought {
    /** The proof; null if none was found with the effort that is allowed. */
    proof: Proof | null;
  }

  /** A record as text. */
  interface RecordText {
    /** The record. */
    sgf: string;
  }

  /** A part of the board. */
  type Region =
    /** The corner above, on the left. */
    | "upper_left"
    /** The upper side. */
    | "top"
    /** The corner above, on the right. */
    | "upper_right"
    /** The left side. */
    | "left"
    /** The middle. */
    | "center"
    /** The right side. */
    | "right"
    /** The corner below, on the left. */
    | "lower_left"
    /** The lower side. */
    | "bottom"
    /** The corner below, on the right. */
    | "lower_right";

  /** How a game has ended. */
  interface Result {
    /** The result as records write it, such as `B+3.5`. */
    text: string;
    /** Who has won; null if nobody has, or if the record does not tell. */
    winner: Color | null;
    /** Why the game has ended. */
    reason: EndReason;
    /** The count, if the game was counted. */
    parts?: Score;
  }

  /** What a review has found so far. */
  interface ReviewFound {
    /** Does it go on? */
    running: boolean;
    /** The round: 0 is the first look at all positions, later ones look closer at those that matter. */
    round: number;
    /** How many positions of the round were looked at. */
    done: number;
    /** How many there are. */
    total: number;
    /** What was found, by node. */
    nodes: Reviewed[];
  }

  /** A review that has begun. */
  interface ReviewStarted {
    /** Is there anything left to be found? */
    running: boolean;
    /** The round that it begins with: 0 is the first look at all positions. */
    round: number;
    /** How many positions the round has. */
    total: number;
    /** How many of them are known already. */
    done: number;
  }

  /** What a review has found about a position. */
  interface Reviewed {
    /** The node of the position. */
    node: Node;
    /** How many times it was searched. */
    visits: number;
    /** The share of games that Black wins. */
    winrate: number;
    /** By how many points Black is ahead. */
    lead: number;
    /** The standard error of that number. */
    error: number;
    /** The best move. */
    best: Move;
    /** The moves that are expected, the best one first. */
    pv: Move[];
    /** Moves that are as good as the best one, which is the first. */
    good: Move[];
    /**
     * Whose each point will be, a letter a point, row by row: from `a` for White over `k` for nobody to `u` for Black.
     */
    ownership: string;
    /** Would more visits hardly change what the move is worth that was played here? */
    settled: boolean;
    /** What the move was worth that was played here, found by the same search. */
    next?: Next;
  }

  /** Rules that a page offers. */
  interface Rules {
    /** The name that `games.new` takes. */
    id: string;
    /** The komi on a 19×19 board. */
    komi: number;
    /** What counts. */
    scoring: Scoring;
    /** Which repetitions are forbidden. */
    ko: Ko;
    /** Which suicides are allowed. */
    suicide: Suicide;
  }

  /** All that a page draws of a training run. */
  interface Run {
    /** The name of the run. */
    run: string;
    /** The generations of the curves: 1,000 at most, the last one always among them. */
    generations: number[];
    /** When each of them ended, in hours of work. */
    hours: number[];
    /** A value for each of these generations. */
    curves: Curves;
    /** The strength of the networks that were measured, beside the first of them. */
    elo: Strength[];
    /** The points against opponents that are no earlier networks. */
    versus: Opponent[];
    /** The komi that each generation takes for fair, by board. */
    fair_komi: FairKomi[];
    /** The whole run in numbers. */
    totals: RunTotals;
  }

  /** A game of a run in a list. */
  interface RunGame {
    /** Its number. */
    index: number;
    /** The number of columns. */
    width: number;
    /** The number of rows. */
    height: number;
    /** The rules. */
    rules: string;
    /** The komi, if it is not that of the rules. */
    komi: number | null;
    /** How many moves were played. */
    moves: number;
    /** The result as records write it. */
    result: string | null;
  }

  /** Games of a generation. */
  interface RunGames {
    /** The name of the run. */
    run: string;
    /** The generations that have games here. */
    generations: number[];
    /** The generation of these games. */
    generation: number | null;
    /** The number of the first game. */
    offset: number;
    /** How many games the generation has. */
    total: number;
    /** The games, 200 at most. */
    games: RunGame[];
  }

  /** The training runs of a host. */
  interface RunList {
    /** The runs. */
    runs: RunSummary[];
  }

  /** A training run in a list. */
  interface RunSummary {
    /** The name to ask for. */
    run: string;
    /** How many generations have ended. */
    generations: number;
    /** How many games were played. */
    games: number;
    /** How many positions they have. */
    positions: number;
    /** How long it took. */
    hours: number;
  }

  /** A whole run in numbers. */
  interface RunTotals {
    /** Generations that have ended. */
    generations: number;
    /** Games that were played. */
    games: number;
    /** Positions of these games. */
    positions: number;
    /** Positions that are learned from now. */
    window: number;
    /** Steps of learning. */
    steps: number;
    /** How long it took. */
    hours: number;
  }

  /** A count with all its parts. */
  interface Score {
    /** What counts. */
    scoring: Scoring;
    /** Black's parts. */
    black: ScoreSide;
    /** White's parts. */
    white: ScoreSide;
    /** Empty points that belong to nobody. */
    dame: number;
    /** By how much Black leads; negative where White does. */
    margin: number;
    /** The margin as in `B+3.5`. */
    text: string;
  }

  /** One player's part of a count. */
  interface ScoreSide {
    /** Living stones. */
    stones: number;
    /** Empty points, those of dead stones included. */
    territory: number;
    /** Enemy stones that were captured or are dead. */
    prisoners: number;
    /** White's komi. */
    komi: number;
    /** White's points for Black's handicap stones. */
    handicap: number;
    /** The sum of what counts. */
    total: number;
  }

  /** What counts under the rules. */
  type Scoring =
    /** Living stones and empty points. */
    | "area"
    /** Empty points and prisoners. */
    | "territory"
    /** Living stones, empty points and prisoners. */
    | "area_and_prisoners";

  /** Who plays a colour. */
  type Seat =
    /** Somebody at a screen. */
    | {
      kind: "person";
      /** What they are called, if they say so. */
      name?: string;
    }
    /** The engine. */
    | {
      kind: "engine";
      /** From 1, whom a beginner beats, to 20, full strength. */
      level: number;
    }
    /** A program that the host has started. */
    | {
      kind: "program";
      /** One of the names that `about` lists. */
      name: string;
    };

  /** How bad a fault of a file is. */
  type Severity =
    /** Nothing is lost. */
    | "note"
    /** Something was repaired. */
    | "warning"
    /** Something could not be read. */
    | "error";

  /** A game as a whole. */
  interface Sheet {
    /** The name of the game. */
    id: GameId;
    /** It grows by one with every change of the game. Who has seen 7 and hears of 9 has missed something. */
    version: number;
    /** Is the game listed and saved? */
    keep: boolean;
    /** When it last changed, in milliseconds since 1970. */
    updated: number;
    /** What people call the game. */
    title: string;
    /** The number of columns. */
    width: number;
    /** The number of rows. */
    height: number;
    /** The name of the rules. */
    rules: string;
    /** White's komi in points. */
    komi: number;
    /** Black's handicap stones. */
    handicap: number;
    /** Who plays Black. */
    black: Seat;
    /** Who plays White. */
    white: Seat;
    /** What is being done with the game. */
    phase: Phase;
    /** The node where the game stands. */
    live: Node;
    /** Whose turn it is there. */
    to_move: Color;
    /** An engine or a program thinks about a move or about the dead stones, or will as soon as somebody watches. */
    thinking: boolean;
    /** It would be the turn of an engine or a program, and it waits for `game.resume`. */
    paused: boolean;
    /** The clocks, if there are any. */
    clock: Clock | null;
    /**
     * Facts about the game, by the keys that the edit `info` takes, as far as the record has them: `black`,
     * `black_rank`, `black_team`, `white`, `white_rank`, `white_team`, `title`, `event`, `round`, `date`, `place`,
     * `result`, `time`, `overtime`, `opening`, `annotator`, `copyright`, `source`, `user`, `comment`, `rules`, `komi`,
     * `handicap`, `tags`.
     */
    info: Record<string, string>;
    /** What the record wants to be shown of variations. */
    style: Style;
    /** The nodes. */
    tree: Tree;
    /**
     * The game was paused because nobody who may play watched it for `limits.seconds_of_absence` (`about`) while a
     * clock ran.
     */
    away?: boolean;
    /** In phase `review`: can an edit be made again that was taken back? */
    can_redo?: boolean;
    /** In phase `review`: can the last edit be taken back? */
    can_undo?: boolean;
    /** The stones that are dead, in phase `marking`, and in `finished` if the game was counted. */
    dead?: Point[];
    /** The colour that somebody elsewhere was invited to play (`game.invite`). */
    guest?: Color;
    /** Milliseconds between two moves of a game without persons and clocks, at least (`game.pace`). */
    pace?: number;
    /** How the game has ended. */
    result?: Result;
    /** The count, in the same phases. */
    score?: Score;
    /** The stones that are in seki, in the same phases. */
    seki?: Point[];
    /**
     * The empty points and the dead stones that count for each side, in the same phases, once the engine has made its
     * proposal or somebody has marked something.
     */
    territory?: Territory;
    /**
     * Why an engine or a program could not move; the game is then paused. Or why the game could not be saved, if it is
     * `unsaved`.
     */
    trouble?: string;
    /**
     * The game could not be saved. Until it is, it does not go on: calls that would change it are refused, and clocks
     * stand still.
     */
    unsaved?: boolean;
  }

  /** How long the sides of a board can be. */
  interface Sizes {
    /** The shortest side. */
    min: number;
    /** The longest side. */
    max: number;
  }

  /** A solution: the moves of a record, by node. Node 0 is the position of the problem. */
  interface SolutionTree {
    /** The node before each; null for the first one. */
    parents: (number | null)[];
    /** The moves. */
    moves: Turn[];
    /**
     * Does a right line lead through the node? What the record marks as wrong (BM, or in words) is not right; if it
     * marks what is right in words, only that is; if it marks nothing, the main line is.
     */
    right: boolean[];
    /** What the record says about the nodes. */
    comments: string[];
  }

  /** The stones of a board, a character a point, row by row from the top left: `.`, `X` for Black, `O` for White. */
  type Stones = string;

  /** A certificate that the host was started with, and that has an answer in a position. */
  interface StoredProof {
    /** Who forces something: the prover. */
    color: Color;
    /** What is forced: Black's points minus White's, at least if the prover is Black, and at most if it is White. */
    margin: number;
    /** The positions in which it says what to play, symmetric ones counted once. */
    positions: number;
    /** Has the checker accepted it here? */
    checked: boolean;
  }

  /** The strength of a network. */
  interface Strength {
    /** The generation. */
    generation: number;
    /** When it ended. */
    hours: number;
    /** The difference to the first network that was measured. */
    elo: number;
    /** Half of the 95 % interval. */
    error: number;
  }

  /** What a record wants to be shown of variations. */
  interface Style {
    /** Which variations are shown. */
    variations: Variations;
    /** Are they marked on the board? */
    markup: boolean;
  }

  /** Which suicides are allowed. */
  type Suicide =
    /** None. */
    | "forbidden"
    /** Those of several stones. */
    | "multi_stone"
    /** All. */
    | "allowed";

  /** Which repetitions a superko rule forbids. */
  type Superko =
    /** Any earlier board. */
    | "positional"
    /** Any earlier board with the same player to move. */
    | "situational";

  /** The points that count as territory. */
  interface Territory {
    /** Black's points. */
    black: Point[];
    /** White's points. */
    white: Point[];
  }

  /** The nodes of a game by their numbers. */
  interface Tree {
    /** The node before each; null for the root and for nodes that were removed. */
    parents: (Node | null)[];
    /** The move of each. */
    moves: Turn[];
    /** The main line from the root on. */
    main: Node[];
    /** Whether each has a comment. */
    has_comment: boolean[];
  }

  /**
   * The move of a node: `B Q16`, `W pass`, `setup` for stones that were set up, `removed` for a node that is gone, or
   * nothing.
   */
  type Turn = string;

  /** Which variations are shown at a node. */
  type Variations =
    /** The moves that follow. */
    | "children"
    /** The moves that could have been played instead. */
    | "siblings";

  /** What becomes of stones. */
  type VerdictName =
    /** They are captured, whatever ko threats there are. */
    | "dies"
    /** They are made alive, whatever ko threats there are. */
    | "lives"
    /** They are never captured, but not made alive. */
    | "seki"
    /** They are never captured. */
    | "stands"
    /** That depends on ko threats. */
    | "ko"
    /** That depends on what repetitions do. */
    | "repetition"
    /** It is too much to be found out here. */
    | "open";

  /** A position with all that a record says about it. */
  interface View {
    /** The node. */
    node: Node;
    /** The number of the last move; moves count from 1. */
    number: number;
    /** Whose turn it is. */
    to_move: Color;
    /** The stones. */
    stones: Stones;
    /** The last stone that was played; null after a pass and after setup. */
    last: Last | null;
    /** The point that simple ko forbids. */
    ko: Point | null;
    /** How many stones each player has captured. */
    captures: Captures;
    /** The empty points where whoever is to move may not play. */
    illegal: Illegal[];
    /** Marks on points. */
    marks: Mark[];
    /** Texts on points. */
    labels: Label[];
    /** Lines and arrows. */
    lines: Line[];
    /** What the record says about the node. */
    comment: string;
    /** What the record calls the node. */
    name: string;
    /**
     * Judgements and numbers by their SGF names: `GB`, `GW`, `DM`, `UC`, `BM`, `TE`, `HO` (1, or 2 for emphasis), `DO`,
     * `IT` (1), `V` (a number), `BL`, `WL` (seconds left), `OB`, `OW` (stones left), `MN`.
     */
    annotations: Record<string, number>;
    /** The nodes that follow, in their order. */
    children: Branch[];
    /** All children of the parent, this node included. The sheet's `style` says which the record wants to be shown. */
    siblings: Branch[];
    /** The part of the board that the record wants to be seen; all of it, if this is missing. */
    visible?: Point[];
  }

  /** How a walk goes on. */
  type WalkState =
    /** The other player tries something. */
    | "open"
    /** The stones of the prover guarantee it, whatever comes. */
    | "sure"
    /** Both have passed. */
    | "over"
    /** No proof that is kept says what to play here: `proof.find` finds one from here on. */
    | "unknown";

  /** Where a walk through a proof has come to. */
  interface Walked {
    /** The moves so far, with what the proof has just played at the end. */
    moves: Move[];
    /** What the proof has just played. */
    reply: Move | null;
    /** How it goes on. */
    state: WalkState;
    /** Black's points minus White's, where the game is over. */
    margin: number | null;
    /** Whose turn it is. */
    to_move: Color;
    /** The stones. */
    stones: Stones;
    /** The last stone that was played; null after a pass and at the beginning. */
    last: Last | null;
    /** The point that simple ko forbids. */
    ko: Point | null;
    /** The empty points where whoever is to move may not play. */
    illegal: Illegal[];
  }

  /** What each method takes and gives. */
  interface Methods {
    /** Says what is behind the page. */
    "about": { params: {}; result: About };
    /** Lists the games that are kept. */
    "games.list": { params: {}; result: GameList };
    /** Begins a game. An engine that is to move begins at once. */
    "games.new": { params: {
      /**
       * The rules: one of the names that `about` lists, or any text that names rules, such as `koSIMPLEscoreAREAsui0`.
       */
      rules: string;
      /** Who plays Black. */
      black: Seat;
      /** Who plays White. */
      white: Seat;
      /** How the time is regulated; without it there is no clock. */
      clock?: ClockSettings | null;
      /** Handicap stones on the star points: 0, or 2 to 9. */
      handicap?: number | null;
      /** The number of rows, 2 to 25. */
      height?: number | null;
      /** False for a lesson or a scratch board: it is neither listed nor saved, and gone when its viewers are. */
      keep?: boolean | null;
      /** White's komi in points; if it is left out, that of the rules and the size, or 0.5 with handicap stones. */
      komi?: number | null;
      /** Milliseconds between two moves of a game without persons and clocks, at least: see `game.pace`. */
      pace?: number | null;
      /**
       * A diagram to begin with: a row a line of `X`, `O` and `.`, and perhaps `White to move`. It then gives the size.
       */
      position?: string | null;
      /** What the game is called. */
      title?: string | null;
      /** The number of columns, 2 to 25. It may be left out if `position` is given. */
      width?: number | null;
    }; result: Sheet };
    /**
     * Opens all games of a file: SGF of any encoding, and what else tengen-sgf reads. Each game is then in phase
     * `review`.
     */
    "games.open": { params: {
      /** The bytes of the file, which may have any encoding. */
      base64?: string | null;
      /** The name of the encoding of the bytes, such as `GBK`, for somebody who knows better than the file. */
      encoding?: string | null;
      /** False for games to look at once: they are neither listed nor saved, and gone when their viewers are. */
      keep?: boolean | null;
      /** What the file is called. Games without a name of their own get this one. */
      name?: string | null;
      /** The record as text, for what was pasted. */
      text?: string | null;
    }; result: Opened };
    /** Deletes a game. */
    "games.delete": { params: {
      /** The game. */
      game: GameId;
    }; result: Nothing };
    /** Gives a game as a whole. */
    "game.get": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /** Gives a position with all that the record says about it. */
    "game.view": { params: {
      /** The game. */
      game: GameId;
      /** The node. */
      node: Node;
    }; result: View };
    /**
     * Plays a move. In phase `playing`, `node` must be `live` and a person to move. In `review` the move is added as a
     * variation, or entered if it is there already.
     */
    "game.play": { params: {
      /** The game. */
      game: GameId;
      /** The node after which the move is played. While the game is played it must be `live`. */
      node: Node;
      /** The move. */
      move: Move;
      /** Whose move it is, in a review; whose turn it is, if it is left out. */
      color?: Color | null;
    }; result: Played };
    /**
     * Takes the last move back. In a game against an engine, moves are taken back until it is the person's turn again.
     * After the passes that led to phase `marking`, play goes on.
     */
    "game.undo": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /** Gives up. */
    "game.resign": { params: {
      /** The game. */
      game: GameId;
      /** Who resigns. It may be left out if it is a person's turn, or if only one person plays. */
      color?: Color | null;
    }; result: Sheet };
    /**
     * Lets engines and programs wait until `game.resume`. Clocks stand still. A game between two engines also waits
     * while nobody watches it.
     */
    "game.pause": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /** Lets engines and programs go on. */
    "game.resume": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /**
     * Says how fast engines and programs play against each other, so that people can follow. It is for games without
     * persons and without a clock. Whoever is to move begins to think when so much time is over since the move before.
     */
    "game.pace": { params: {
      /** The game. */
      game: GameId;
      /** Milliseconds between two moves, at least; 60,000 at most. */
      pace: number;
    }; result: Sheet };
    /** Lets somebody else take a seat, in the middle of the game if need be. */
    "game.seats": { params: {
      /** The game. */
      game: GameId;
      /** Who plays Black from now on. */
      black?: Seat | null;
      /** Who plays White from now on. */
      white?: Seat | null;
    }; result: Sheet };
    /**
     * Lets somebody elsewhere take one seat, and no more, for hosts that can be reached from there. Whoever opens the
     * page with `?token=` and the secret may look at this game, play and give up for this colour, mark dead stones and
     * accept the count. A new invitation to the seat takes the place of the former. It holds until the host ends.
     */
    "game.invite": { params: {
      /** The game. */
      game: GameId;
      /** The seat. A person plays it. */
      color: Color;
      /** What whoever is invited will know: 16 to 128 letters, digits, `-` and `_`, drawn at random. */
      secret: string;
    }; result: Sheet };
    /**
     * Looks for a good move. The answer comes when the engine is done. A viewer has one hint at a time: a newer call
     * replaces the former, which is refused as `cancelled`.
     */
    "game.hint": { params: {
      /** The game. */
      game: GameId;
      /** The node; where the game stands, if it is left out. */
      node?: Node | null;
    }; result: Hint };
    /**
     * Estimates the score. The answer comes when the engine is done. A viewer has one estimate at a time: a newer call
     * replaces the former, which is refused as `cancelled`.
     */
    "game.estimate": { params: {
      /** The game. */
      game: GameId;
      /** The node; where the game stands, if it is left out. */
      node?: Node | null;
    }; result: Estimate };
    /**
     * Makes the chain on a point dead, or alive again, in phase `marking`. The engine proposes first (`thinking` until
     * it has). Who clicks earlier overrules it.
     */
    "game.dead": { params: {
      /** The game. */
      game: GameId;
      /** A stone of the chain. */
      point: Point;
    }; result: Sheet };
    /**
     * Ends the game with the count. It is refused as `busy` while the engine's proposal is awaited and nobody has
     * marked anything. A game without persons accepts by itself.
     */
    "game.accept": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /**
     * Goes back to play: from `marking`, from `finished` and from `review`, where play goes on from `node`. A
     * resignation is taken back, and a clock that ran out is switched off.
     */
    "game.continue": { params: {
      /** The game. */
      game: GameId;
      /** The node; where the game stands, if it is left out. */
      node?: Node | null;
    }; result: Sheet };
    /** Turns any game into a tree to walk through and to edit. */
    "game.review": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /**
     * Edits the record: all edits are made, or none. `setup`, `to_move`, `remove` and `promote` need phase `review`,
     * and so do `rules`, `komi`, `handicap` and `result` of `info`.
     */
    "game.edit": { params: {
      /** The game. */
      game: GameId;
      /** The node that is edited. */
      node: Node;
      /** The edits, in order: all of them are made, or none. */
      edits: Edit[];
    }; result: Edited };
    /** Takes the last edit of a record back, a move that was added in `review` included. Needs phase `review`. */
    "edit.undo": { params: {
      /** The game. */
      game: GameId;
    }; result: Edited };
    /** Makes the last edit again that was taken back. */
    "edit.redo": { params: {
      /** The game. */
      game: GameId;
    }; result: Edited };
    /** Gives a node and all behind it as SGF, for the edit `paste`. */
    "game.branch": { params: {
      /** The game. */
      game: GameId;
      /** The node. */
      node: Node;
    }; result: RecordText };
    /**
     * Looks for kept games of the same size in whose main line a position came up, turned and mirrored ones included.
     */
    "games.search": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position. */
      node: Node;
      /** Which part of it is looked for; all of it, if this is left out. */
      part?: Part;
    }; result: FoundGames };
    /** Gives the record as SGF, for hosts without downloads. */
    "game.record": { params: {
      /** The game. */
      game: GameId;
    }; result: RecordText };
    /** Gives a position as SVG, for hosts without downloads. */
    "game.picture": { params: {
      /** The game. */
      game: GameId;
      /** The node; where the game stands, if it is left out. */
      node?: Node | null;
    }; result: PictureText };
    /** Gives a file to be saved. The edition without a server has this instead of downloads. */
    "game.file": { params: {
      /** The game. */
      game: GameId;
      /** What is to be in the file. */
      kind: FileKind;
      /** The node of the position; where the game stands, if it is left out. */
      node?: Node | null;
    }; result: File };
    /**
     * Analyses a position; `analysis` events tell what is found. One at a time for each viewer: a new one replaces the
     * former. It ends when the node or the game is removed, with `max_visits`, with `analysis.stop`, or when the viewer
     * is gone.
     */
    "analysis.watch": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position. */
      node: Node;
      /** The visits after which the analysis ends. */
      max_visits?: number | null;
      /** Are events to say whose each point will be? */
      ownership?: boolean | null;
    }; result: Nothing };
    /** Ends the analysis. */
    "analysis.stop": { params: {}; result: Nothing };
    /**
     * Finds out what is proven about a position of a small board and about each of its moves; `exact` events tell it.
     * The board has at most `limits.points_of_an_exact_board` points (`about`). One at a time for each viewer: a new
     * one replaces the former. It ends when everything is known or a certain effort is spent, with `exact.stop`, when
     * the node or the game is removed, or when the viewer is gone. What is known of the last 256 positions that anybody
     * asked about is told at once.
     */
    "exact.watch": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position. */
      node: Node;
      /** True to search with four times the effort of last time. */
      more?: boolean | null;
    }; result: Nothing };
    /** Ends the search for what is proven. */
    "exact.stop": { params: {}; result: Nothing };
    /**
     * Finds a proof of what a player forces, writes it down and has it checked, to be walked through. What is forced is
     * best taken from an `exact` event: `lower` for Black, `upper` for White. With `moves` the proof is one of the
     * position after them. The answer comes when the search ends; `proof` events tell how far it is. A viewer has one
     * search at a time: a newer call replaces the former, which is refused as `cancelled`.
     */
    "proof.find": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position where the walk begins. */
      node: Node;
      /** Who forces something: the prover. */
      color: Color;
      /**
       * What is forced: Black's points minus White's, by area and without komi, are at least this if the prover is
       * Black, and at most this if the prover is White.
       */
      margin: number;
      /** The moves of the walk so far, of both players in turn. */
      moves?: Move[];
    }; result: ProofSought };
    /** Ends the search for a proof. */
    "proof.stop": { params: {}; result: Nothing };
    /**
     * Walks through a proof that was found: `moves` are played from the position on, and if the prover is to move then,
     * the proof's answer.
     */
    "proof.walk": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position where the walk begins. */
      node: Node;
      /** Who forces something: the prover. */
      color: Color;
      /**
       * What is forced: Black's points minus White's, by area and without komi, are at least this if the prover is
       * Black, and at most this if the prover is White.
       */
      margin: number;
      /** The moves of the walk so far, of both players in turn. */
      moves?: Move[];
    }; result: Walked };
    /**
     * Analyses every position of the main line in the background; `review` events tell what is found. A first round
     * looks quickly at all of them, the first ones first. Later rounds look closer at those where much may have been
     * lost, the worst ones first, with four times the visits of the round before, until `visits` is reached or
     * everything is settled. What was analysed before with as many visits is not analysed again. It ends when the
     * viewer who started it is gone.
     */
    "review.start": { params: {
      /** The game. */
      game: GameId;
      /** Visits for the positions that matter most. */
      visits?: number | null;
    }; result: ReviewStarted };
    /**
     * Says what a move is worth, beside the best one of the same search, and why. The answer comes when the engine is
     * done. A viewer has one judgement at a time: a newer call replaces the former, which is refused as `cancelled`.
     */
    "review.judge": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position. */
      node: Node;
      /** The move of whoever is to move there. */
      move: Move;
    }; result: MoveJudged };
    /**
     * Says which groups near a move it has killed or let live for certain: proven by the solver, with a small effort,
     * for groups that are shut in on a few points.
     */
    "review.fates": { params: {
      /** The game. */
      game: GameId;
      /** The node of the position before the move. */
      node: Node;
      /** The move. */
      move: Move;
      /** A better move: groups near it are looked at, too, as those near the move are. */
      better?: Move | null;
    }; result: Fates };
    /** Gives what a review has found so far. */
    "review.get": { params: {
      /** The game. */
      game: GameId;
    }; result: ReviewFound };
    /** Ends a review; what it has found stays. */
    "review.stop": { params: {
      /** The game. */
      game: GameId;
    }; result: Nothing };
    /** Reads a collection of problems: SGF of any encoding, a game a problem. They become no games. */
    "problems.read": { params: {
      /** The bytes of the file, which may have any encoding. */
      base64?: string | null;
      /** The name of the encoding of the bytes, such as `GBK`, for somebody who knows better than the file. */
      encoding?: string | null;
      /** False for games to look at once: they are neither listed nor saved, and gone when their viewers are. */
      keep?: boolean | null;
      /** What the file is called. Games without a name of their own get this one. */
      name?: string | null;
      /** The record as text, for what was pasted. */
      text?: string | null;
    }; result: ProblemSet };
    /**
     * Judges a position of a problem that somebody tries to solve, with a proof, and says what to reply. The problem is
     * the position of the game before its first move, and is about life and death in a part of the board. It is refused
     * if nobody's stones can be told to be in question, and `open` if it is too much to be found out here.
     */
    "problem.judge": { params: {
      /** The game. */
      game: GameId;
      /** The node. The problem is the position before the first move; all moves up to the node are tries at it. */
      node: Node;
      /** Where may be played; it is found out if this is left out. */
      region?: Point[] | null;
      /** The stones to capture or to save; they are found out if this is left out. */
      target?: Point[] | null;
    }; result: JudgedPosition };
    /**
     * Lets the viewer hear of what happens to a game, in `game` and `clock` events. The events of the viewer's own
     * calls are among them. An event may come before or after the answer: `version` tells what is known already.
     */
    "watch": { params: {
      /** The game. */
      game: GameId;
    }; result: Sheet };
    /** Lets the viewer hear no more of a game. */
    "unwatch": { params: {
      /** The game. */
      game: GameId;
    }; result: Nothing };
    /**
     * Lists the networks that people have brought. Only hosts with the feature `networks` have these methods. The
     * edition without a server has it: the page hands a file to its worker, and the engine judges by it from then on.
     */
    "networks.list": { params: {}; result: NetworkList };
    /** Lets the engine judge by a network from its next move on. */
    "networks.choose": { params: {
      /** The name of its file; the host's own networks, if it is left out. */
      name?: string | null;
    }; result: NetworkList };
    /** Deletes a network. If the engine judges by it, it goes back to the host's own. */
    "networks.delete": { params: {
      /** The name of its file. */
      name: string;
    }; result: NetworkList };
    /** Lists the training runs that the server was started with. */
    "runs.list": { params: {}; result: RunList };
    /** Gives the curves of a run. */
    "runs.get": { params: {
      /** The name of the run. */
      run: string;
    }; result: Run };
    /** Lists games of a generation of a run. */
    "runs.games": { params: {
      /** The name of the run. */
      run: string;
      /** The generation; the latest, if it is left out. */
      generation?: number | null;
      /** The number of the first game that is listed. */
      offset?: number;
    }; result: RunGames };
    /** Opens a game of a run as a tree to walk through, with what the search thought as comments. */
    "runs.open": { params: {
      /** The name of the run. */
      run: string;
      /** The generation of the game. */
      generation: number;
      /** Its number in the generation. */
      index: number;
    }; result: Opened };
  }
}
