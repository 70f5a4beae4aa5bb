export interface PodLogOptions {
  container?: string
  follow?: boolean
  previous?: boolean
  tailLines?: number
  sinceSeconds?: number
}

/** What a pod has written, and what it goes on to write. */
export interface PodLogStream {
  text: string
  /** Calls back for every further line; returns what stops it. */
  onLine(use: (line: string) => void): () => void
}

export type PodLog = (namespace: string, pod: string, options: PodLogOptions) => PodLogStream
