import { usePins } from '../../api/pins.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { GroupDialog } from './group-dialog.tsx'

/** Draws the dialog that was asked for, over any page. */
export function PinHost() {
  const { request, close } = usePins()
  if (request === undefined) return null
  if (request.ask === 'title') return <GroupDialog group={request.group} onClose={close} />
  return <EntryDialog item={request.item} groupId={request.groupId} onClose={close} />
}
