import type { SourceKind, SourceSignIn } from '@quayside/contract/catalog/source-rules'
import type { SourceRun, SourceRunLine } from '@quayside/contract/catalog/sources'

export const kindWords: Readonly<Record<SourceKind, string>> = { helm: 'Helm repository', oci: 'OCI registry' }

export const signInWords: Readonly<Record<SourceSignIn, string>> = {
  none: 'Without signing in',
  password: 'User name and password',
  token: 'Token',
}

const hoursWords: Readonly<Record<number, string>> = { 1: 'Every hour', 24: 'Every day', 168: 'Every week' }

export const scheduleWords = (hours: number | null) =>
  hours === null ? 'Only manually' : (hoursWords[hours] ?? `Every ${hours} hours`)

/** A state of a run as a badge shows it: the state that gives the look, and the word. */
export const stateWords: Readonly<Record<SourceRun['state'], { state: string; label: string }>> = {
  waiting: { state: 'pending', label: 'Waiting' },
  running: { state: 'progressing', label: 'Synchronising' },
  done: { state: 'finished', label: 'Done' },
  partly: { state: 'warning', label: 'Partly done' },
  failed: { state: 'failed', label: 'Failed' },
}

export const outcomeWords: Readonly<Record<SourceRunLine['outcome'], { state: string; label: string }>> = {
  taken: { state: 'finished', label: 'Added' },
  refused: { state: 'failed', label: 'Refused' },
  skipped: { state: 'still', label: 'Left out' },
  gone: { state: 'still', label: 'No longer offered' },
}

export const isUnderWay = ({ endedAt }: SourceRun) => endedAt === null
