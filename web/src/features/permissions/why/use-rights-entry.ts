import type { Space } from '@quayside/contract/spaces/endpoints'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import { useWhy } from '../../../api/permissions/why.tsx'
import type { MenuEntry } from '../../../ui/actions/row-menu.tsx'

/** The entry of a person's menu that opens everything that they can do in a space, and why. */
export function useRightsEntry({ id, displayName }: Space): (person: { id: string; name: string }) => MenuEntry {
  const { open } = useWhy()
  return (user) => ({
    label: 'What they can do here',
    icon: IconHelp,
    onSelect: () => open({ ask: 'all', place: 'space', id, name: displayName, page: 'spaces/$spaceId/overview', user }),
  })
}
