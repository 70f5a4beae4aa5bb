import { homeTags } from '@quayside/contract/dashboards/rules'
import { useNavigate } from '@tanstack/react-router'
import { useCreateDashboard } from '../../../api/dashboards/dashboards.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { AlertNote } from '../../../ui/states/alert-note.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import type { Content } from './use-draft.ts'

/** Says that the draft cannot be saved where it came from, and saves it as a dashboard of its own. */
export function SaveClosed({ content, onSaved }: { content: Content; onSaved: () => void }) {
  const create = useCreateDashboard()
  const navigate = useNavigate()
  const tags = content.tags.filter((tag) => !homeTags.includes(tag))
  const copy = () =>
    create.mutate(
      { ...content, tags },
      {
        onSuccess: ({ id }) => {
          onSaved()
          setTimeout(() => void navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: id } }))
        },
      },
    )
  return (
    <>
      <AlertNote
        tone="warn"
        title="You cannot save this dashboard any more"
        action={
          <Button busy={create.isPending} onClick={copy}>
            Save as a new dashboard
          </Button>
        }
      >
        <p>
          It was deleted, or you may no longer edit it. Your changes are still here. Save them as a dashboard of your
          own.
        </p>
      </AlertNote>
      {create.error !== null && <ErrorPanel error={create.error} name="Save" />}
    </>
  )
}

/** A save that was refused; where somebody else was first, it says who, and offers to write over it. */
export function SaveRefused({ error, onOverwrite }: { error: Error; onOverwrite: (revision: number) => void }) {
  const conflict = conflictOf(error)
  if (conflict === undefined) return <ErrorPanel error={error} name="Save" />
  const { revision, by } = conflict
  return (
    <div role="alert">
      <EmptyState
        title="Somebody else has saved this dashboard"
        text={`${by} saved revision ${revision} while you were editing. Your changes are still here. Save them over that revision, or cancel to see it.`}
        action={
          <Button look="danger" onClick={() => onOverwrite(revision)}>
            Save over revision {revision}
          </Button>
        }
      />
    </div>
  )
}

/** The revision that somebody else has saved, as the body of the refusal tells it. */
function conflictOf(error: Error): { revision: number; by: string } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'dashboard.revision-changed') return undefined
  return (error.details as { details?: { revision: number; by: string } }).details
}
