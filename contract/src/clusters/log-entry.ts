/** A line that a container wrote. */
interface LogLine {
  /** When, to the nanosecond and in UTC; null where the cluster does not tell. */
  at: string | null
  pod: string
  container: string
  line: string
}

/** A fact about the log, in its place among the lines. */
type LogNote =
  /** All that was there at the beginning has been sent. */
  | { note: 'caught-up' }
  | { note: 'restarted'; pod: string; container: string }
  /** A container whose log the cluster does not give, and why. */
  | { note: 'unreadable'; pod: string; container: string; message: string }
  /** An app of the space that cannot be read, by its name, and why. */
  | { note: 'app-unreadable'; app: string; message: string }
  /** A space has more apps than one answer reads. */
  | { note: 'apps-left-out'; most: number }
  /** More containers run than one answer follows; these many are not read. */
  | { note: 'left-out'; count: number }

export type LogEntry = LogLine | LogNote

/** Containers that one answer reads at most. */
export const mostContainers = 50
/** Apps of a space that one answer reads at most. */
export const mostApps = 50
/** Lines that were there before, in one answer. */
export const mostPastLines = 10_000
