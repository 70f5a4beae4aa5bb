import type { Freeze } from '@quayside/contract/spaces/endpoints'
import type { ReactNode } from 'react'
import { usePortal } from '../lib/portal.tsx'
import { AlertNote } from '../ui/states/alert-note.tsx'
import { exactTime } from '../ui/text/format-relative.ts'

interface Props {
  freeze: Freeze
  /** A button that helps who may end it. */
  action?: ReactNode
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** Tells where nothing is deployed for a while, why, and who deploys all the same. */
export function FreezeNote({ freeze, action }: Props) {
  const { userId } = usePortal().me()
  const { reason, until, by, exempt } = freeze
  const isExempt = exempt.some(({ id }) => id === userId)
  const others = exempt.filter(({ id }) => id !== userId).map(({ name }) => name)
  const exceptions = isExempt ? ['you', ...others] : others
  return (
    <AlertNote
      tone="warn"
      title={`Deployments in this space are frozen${until === null ? '' : ` until ${exactTime(until)}`}`}
      action={action}
    >
      <p>
        <bdi>{reason}</bdi>
      </p>
      <p>
        <bdi>
          Frozen by {by}.{' '}
          {exceptions.length === 0
            ? 'Nobody can deploy or change apps here.'
            : `Only ${listed.format(exceptions)} can deploy or change apps here.`}
        </bdi>
      </p>
    </AlertNote>
  )
}
