import { FreezeNote } from '../../api/freeze-note.tsx'
import { useSpace } from '../../api/space.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'

/** Tells on the page of an app that its space is frozen. */
export function AppFreeze({ spaceId }: { spaceId: string }) {
  const space = useSpace(spaceId)
  const freeze = space.data?.freeze
  // Somebody may see the app and not its space, and is told nothing of a freeze then.
  if (space.error !== null && !isGone(space.error))
    return <ErrorPanel error={space.error} name="Freeze" onRetry={() => void space.refetch()} />
  return freeze == null ? null : <FreezeNote freeze={freeze} />
}
