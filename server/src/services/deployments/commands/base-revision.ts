import { fail } from '../../../platform/http/errors.ts'
import type { ReleaseRevision } from '../ports.ts'

type Numbered = Pick<ReleaseRevision, 'revision' | 'status'>

/** The number of the revision that counts: the deployed one or, where none is, the newest. Newest first. */
export function installedRevision(all: readonly Numbered[]): number | null {
  return (all.find(({ status }) => status === 'deployed') ?? all[0])?.revision ?? null
}

/** A command that was made for one revision must not undo, unseen, what somebody else has deployed since. */
export function mustBeInstalled(all: readonly Numbered[], base: number | null | undefined): void {
  const installed = installedRevision(all)
  if (base == null || base === installed) return
  throw fail('deployment.revision-changed', {
    field: 'baseRevision',
    message: `This was made for revision ${base}, and revision ${installed ?? 'none'} is installed now.`,
    details: { baseRevision: base, installed },
  })
}
