import type { MenuEntryInput, MenuGroup, PinnedKind } from '@quayside/contract/sidebar/endpoints'
import { isWebLink } from '@quayside/contract/sidebar/rules'
import type { z } from 'zod'
import { texts } from './texts.ts'

export type Category = PinnedKind | 'external'
export const defaultCategory: Category = 'spaces'

/** The form's fields; `groupId` is the chosen option of GROUPNAME, `title` the name of a new group. */
export interface PinForm {
  category: Category
  name: string
  item: string | undefined
  link: string
  groupId: string | undefined
  title: string
}

/** The option that makes a group of the name that is typed. */
export const newGroup = 'New Group'
const defaultGroups = { custom1: texts.groups.custom1, custom2: texts.groups.custom2 } as const

/** The groups to choose from: the default ones until there are groups of one's own. */
export function groupOptions(groups: readonly Pick<MenuGroup, 'id' | 'title'>[]): { value: string; name: string }[] {
  const own = groups.filter(({ title }) => title !== '')
  if (own.length > 0)
    return [{ value: newGroup, name: texts.groups.new }, ...own.map(({ id, title }) => ({ value: id, name: title }))]
  return [
    ...Object.entries(defaultGroups).map(([value, name]) => ({ value, name })),
    { value: newGroup, name: texts.groups.new },
  ]
}

/** The title of the group that has to be made for this choice; undefined when it is there already. */
export function titleToMake({ groupId, title }: PinForm): string | undefined {
  if (groupId === newGroup) return title.trim()
  return groupId === 'custom1' || groupId === 'custom2' ? defaultGroups[groupId] : undefined
}

export function isComplete(form: PinForm): boolean {
  const hasGroup = form.groupId !== undefined && (form.groupId !== newGroup || form.title.trim() !== '')
  if (form.category === 'external') return form.name.trim() !== '' && form.link.trim() !== '' && hasGroup
  return form.item !== undefined && form.name.trim() !== '' && hasGroup
}

/** The message for a form that cannot be sent; undefined when it can. */
export function refusalOf(form: PinForm): { title: string; message: string } | undefined {
  if (!isComplete(form)) return texts.invalidData
  return form.category === 'external' && !isWebLink(form.link.trim()) ? texts.invalidUrl : undefined
}

/** The payload of 7.8. */
export function entryOf(form: PinForm, groupId: string): z.input<typeof MenuEntryInput> {
  const name = form.name.trim()
  return form.category === 'external'
    ? { name, groupId, icon: 'external', link: form.link.trim(), selectedEntryId: null, type: 'externalLink' }
    : { name, groupId, icon: form.category, link: 'routerLink', selectedEntryId: form.item ?? '', type: form.category }
}
