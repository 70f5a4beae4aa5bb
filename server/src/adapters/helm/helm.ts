/** Commands of Helm. Each is a child process with a fixed argv and a private environment. */
export interface Helm {
  readonly version: string
  template(input: RenderInput, run?: Pick<HelmRun, 'signal'>): Promise<HelmOutcome>
  lint(input: RenderInput): Promise<HelmOutcome>
  install(input: WriteInput, run: HelmRun): Promise<HelmOutcome>
  upgrade(input: WriteInput, run: HelmRun): Promise<HelmOutcome>
  rollback(input: RollbackInput, run: HelmRun): Promise<HelmOutcome>
  uninstall(input: UninstallInput, run: HelmRun): Promise<HelmOutcome>
}

export interface RenderInput {
  /** Path of our own stored .tgz; never a directory, never an address. */
  chartFile: string
  values: string
  releaseName: string
  namespace: string
  kubeVersion?: string
  apiVersions?: string[]
  includeCrds?: boolean
  /** Render as Helm does for a release that is there already. */
  isUpgrade?: boolean
}

/** A cluster as Helm sees it: a kubeconfig made by us, of the space's own identity. */
export interface TargetInput {
  kubeconfig: string
  /** Our own id of the cluster: what Helm learns of its API is kept under it for the next run. */
  clusterId: string
  releaseName: string
  namespace: string
  timeoutSeconds: number
}

export interface WriteInput extends TargetInput {
  chartFile: string
  values: string
  /** Land on the release Secret, so that a revision can be tied to its action. */
  labels: Record<string, string>
  /** A program of ours that is shown what Helm has rendered, and what it is given; when it refuses, nothing is applied. */
  comparing?: { script: string; data: string } | undefined
  /** The name is that of a release whose history Helm has kept: its numbers go on. */
  replace?: boolean
}

export interface RollbackInput extends TargetInput {
  revision: number
}

export interface UninstallInput extends TargetInput {
  withoutHooks?: boolean | undefined
}

export interface HelmRun {
  /** A line that Helm wrote; stripped of control characters, at most 4 KiB. */
  onLine?: (line: string, from: 'stdout' | 'stderr') => void
  /** Called when the process has been started. */
  onStart?: () => void
  /** Aborting asks Helm to end, and kills it after a grace. */
  terminate?: AbortSignal
  /** Aborting kills Helm and everything it started. */
  signal?: AbortSignal
}

/** How the process ended. Not evidence of what happened in the cluster: read that back. */
export interface HelmOutcome {
  ended: 'exit' | 'deadline' | 'aborted' | 'limit'
  code: number | null
  stdout: string
  stderr: string
  milliseconds: number
}
