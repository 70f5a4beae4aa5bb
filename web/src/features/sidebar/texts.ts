import type { PinnedKind } from '@quayside/contract/sidebar/endpoints'

/** Every text of the custom sidebar, as the specification writes it or, under `ours`, as we do. */
export const texts = {
  add: 'ADD NEW MENU ENTRY',
  edit: 'EDIT GROUP NAME',
  pinning:
    'Pinning {item name} {kind} to the Custom Sidebar! Select a group or create a new one to which the item should be pinned to.',
  kinds: { spaces: 'Space', dashboards: 'Dashboard', apps: 'App', clusters: 'Cluster' },
  category: 'CATEGORY',
  categories: {
    apps: 'Apps',
    spaces: 'Spaces',
    dashboards: 'Dashboards',
    clusters: 'Clusters',
    external: 'External link',
  },
  item: 'ITEM',
  id: 'ID: ',
  noData: 'No Data!',
  label: 'LABEL *',
  url: 'URL *',
  groupName: 'GROUPNAME',
  groups: { custom1: 'My Side-bar', custom2: 'Personal dashboards', new: 'Add a new group' },
  counter: '{n}/24',
  confirm: 'Confirm',
  errorArea: 'Catalog Details',
  invalidUrl: { title: 'Invalid URL', message: 'Please provide the complete URL!' },
  invalidGroup: { title: 'Invalid Group name', message: 'Group name cannot be empty' },
  invalidData: { title: 'Invalid data', message: 'Please check the data!' },
  ours: {
    heading: 'CUSTOM SIDEBAR',
    addEntry: 'Add menu entry',
    empty: 'Pin what you use often, or add a link.',
    emptyGroup: 'Nothing pinned yet',
    newGroup: 'NEW GROUP NAME',
    editGroup: 'Edit group name',
    deleteGroup: 'Delete group',
    deleteFailed: 'The group was not deleted',
    moveUp: 'Move up',
    moveDown: 'Move down',
    remove: 'Remove pin',
    moveFailed: 'The order was not kept',
    gone: 'gone',
    goneWhy: 'This has been deleted. The pin can be removed.',
    closed: 'no access',
    closedWhy: 'You may not open this any more. The pin can be removed.',
    unsafe: 'no link',
    unsafeWhy: 'This is no web address that can be opened. The pin can be removed.',
    opensNew: 'opens in a new tab',
  },
} as const

/** The sentence of the dialog that pins one item. */
export function pinningText(name: string, kind: PinnedKind): string {
  return texts.pinning.replace('{kind}', texts.kinds[kind]).replace('{item name}', () => name)
}
