// What answers the page: a server behind a socket, or the same code in a worker. For the type checker alone.

/** An event of the app, or of a worker that could not keep a game. */
type PageEvent = Api.Event | { event: "unsaved" };

/** Why a call was refused: by the back end, or because it cannot be reached. */
type Failure = Omit<Api.Error, "data"> & { data?: Record<string, any> };

type ConnectionState = "connecting" | "connected" | "reconnecting";

type Params<M extends keyof Api.Methods> = Api.Methods[M]["params"];

/** Parameters may be left out where all of them may be missing. */
type Arguments<M extends keyof Api.Methods> = {} extends Params<M> ? [params?: Params<M>] : [params: Params<M>];

interface Backend {
  call<M extends keyof Api.Methods>(method: M, ...params: Arguments<M>): Promise<Api.Methods[M]["result"]>;
  on<E extends PageEvent["event"]>(event: E, listener: (message: Extract<PageEvent, { event: E }>) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  readonly state: ConnectionState;
  /**
   * Where a picture or the record of a game can be fetched from, and the name to save it under if the place does not
   * tell.
   */
  file(game: string, kind: string, node?: number): Promise<{ address: string; name: string }>;
  /** Lets the engine judge by the network in a file, which is kept. */
  addNetwork(file: File): Promise<Api.NetworkList>;
}
