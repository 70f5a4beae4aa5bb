import { FreezeNote } from '../../api/freeze-note.tsx'
import { useSpace } from '../../api/space.ts'

/** Tells on the page of an app that its space is frozen. */
export function AppFreeze({ spaceId }: { spaceId: string }) {
  const freeze = useSpace(spaceId).data?.freeze
  return freeze == null ? null : <FreezeNote freeze={freeze} />
}
