/** Messages from the portal to the supervisor. `run` is a number that the portal counts up for each run. */
export type Order =
  | { do: 'start'; run: number; file: string; argv: readonly string[]; cwd: string; env: Record<string, string> }
  | { do: 'signal'; run: number; signal: NodeJS.Signals }
  /** The portal is alive and may write. */
  | { do: 'go-on' }

/** Messages from the supervisor to the portal, in the order of events. */
export type Notice =
  /** To each `go-on`. */
  | { run: 0; is: 'here' }
  | { run: number; is: 'started'; group: number }
  | { run: number; is: 'stdout'; chunk: Uint8Array }
  | { run: number; is: 'stderr'; chunk: Uint8Array }
  | { run: number; is: 'refused'; message: string; code: string | undefined }
  | { run: number; is: 'ended'; code: number | null; signal: NodeJS.Signals | null }
