import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { Id, nameOf } from '../http/primitives.ts'
import { isWebLink, longestAddress, longestName, longestTitle, mostEntries } from './rules.ts'

const endpoint = endpointsOf('portal-api')

/** Kinds of things that can be pinned; beside them stands the external link. */
export const PinnedKind = z.enum(['apps', 'spaces', 'dashboards', 'clusters'])
export type PinnedKind = z.infer<typeof PinnedKind>

export const MenuEntry = z.object({
  id: z.string(),
  groupId: z.string(),
  /** Name of the item when it was pinned. */
  name: z.string(),
  icon: z.string(),
  /** `routerLink`, or the address of an external link. */
  link: z.string(),
  selectedEntryId: z.string().nullable(),
  type: z.union([PinnedKind, z.literal('externalLink')]),
  /** Present name of the pinned item; null when it cannot be opened, and for external links. */
  itemName: z.string().nullable(),
  /** `gone`: the item was deleted. `closed`: the caller may not open it any more. */
  state: z.enum(['open', 'gone', 'closed']),
})
export type MenuEntry = z.infer<typeof MenuEntry>

export const MenuGroup = z.object({ id: z.string(), title: z.string(), entries: z.array(MenuEntry) })
export type MenuGroup = z.infer<typeof MenuGroup>

const MenuGroupInput = z.object({
  title: nameOf(longestTitle, 'Group name cannot be empty'),
})

const described = {
  name: nameOf(longestName),
  groupId: Id.optional(),
  icon: z
    .string()
    .max(64, 'at most 64 characters')
    .regex(/^[\w:-]*$/, 'not the name of an icon')
    .default(''),
}

/** An item of the portal, or an external link. */
export const MenuEntryInput = z.discriminatedUnion('type', [
  z.object({ ...described, type: PinnedKind, selectedEntryId: Id, link: z.literal(['routerLink', '']).nullish() }),
  z.object({
    ...described,
    type: z.literal('externalLink'),
    selectedEntryId: z.union([Id, z.literal('')]).nullish(),
    link: z
      .string()
      .trim()
      .max(longestAddress, `at most ${longestAddress} characters`)
      .refine(isWebLink, 'a full address that begins with http:// or https://'),
  }),
])
export type MenuEntryInput = z.infer<typeof MenuEntryInput>

const OfGroup = z.object({ gid: Id })
const OfEntry = z.object({ gid: Id, eid: Id })

/** The personal custom sidebar: each caller has one and sees no other. */
export const sidebar = {
  getMenu: endpoint('GET', '/v0/menu', {
    summary: "The groups of the caller's own side bar, with their entries",
    reply: z.object({ data: z.array(MenuGroup) }),
  }),
  addMenuGroup: endpoint('POST', '/v0/menu/groups', {
    summary: 'Add a group to the own sidebar',
    body: MenuGroupInput,
    reply: MenuGroup,
    status: 201,
  }),
  renameMenuGroup: endpoint('PUT', '/v0/menu/groups/:gid', {
    summary: 'Give a group of the own sidebar another name',
    params: OfGroup,
    body: MenuGroupInput,
    reply: MenuGroup,
  }),
  deleteMenuGroup: endpoint('DELETE', '/v0/menu/groups/:gid', {
    summary: 'Delete a group of the own sidebar with its entries',
    params: OfGroup,
    status: 204,
  }),
  addMenuEntry: endpoint('POST', '/v0/menu/groups/:gid/entries/', {
    summary: 'Pin an item of the portal or an external link to a group',
    params: OfGroup,
    body: MenuEntryInput,
    reply: MenuEntry,
    status: 201,
  }),
  orderMenuEntries: endpoint('PUT', '/v0/menu/groups/:gid/entries/', {
    summary: 'Put the entries of a group in another order: exactly its entries, each once',
    params: OfGroup,
    body: z.object({ ids: z.array(Id).max(mostEntries) }),
    reply: MenuGroup,
  }),
  deleteMenuEntry: endpoint('DELETE', '/v0/menu/groups/:gid/entries/:eid', {
    summary: 'Take an entry out of a group',
    params: OfEntry,
    status: 204,
  }),
}
