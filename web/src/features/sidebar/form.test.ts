import { describe, expect, it } from 'vitest'
import { defaultCategory, entryOf, groupOptions, isComplete, type PinForm, refusalOf, titleToMake } from './form.ts'
import { pinningText, texts } from './texts.ts'

const internal: PinForm = { category: 'spaces', name: 'Shop', item: 's1', link: '', groupId: 'g1', title: '' }
const external: PinForm = {
  ...internal,
  category: 'external',
  name: ' Runbook ',
  item: undefined,
  link: ' https://x.org ',
}

describe('the groups to choose from', () => {
  it('are the default ones for somebody without groups', () => {
    expect(groupOptions([])).toEqual([
      { value: 'custom1', name: 'My Side-bar' },
      { value: 'custom2', name: 'Personal dashboards' },
      { value: 'New Group', name: 'Add a new group' },
    ])
  })

  it('are replaced by groups of one’s own that have a title', () => {
    const own = [
      { id: 'g1', title: 'Daily' },
      { id: 'g2', title: '' },
    ]
    expect(groupOptions(own)).toEqual([
      { value: 'New Group', name: 'Add a new group' },
      { value: 'g1', name: 'Daily' },
    ])
  })

  it.each([
    ['g1', undefined],
    ['custom1', 'My Side-bar'],
    ['custom2', 'Personal dashboards'],
    ['New Group', 'Fleet'],
  ])('%s makes %s', (groupId, made) => {
    expect(titleToMake({ ...internal, groupId, title: ' Fleet ' })).toBe(made)
  })
})

describe('what is required', () => {
  it.each([
    ['an item', { ...internal, item: undefined }],
    ['a group', { ...internal, groupId: undefined }],
    ['more than blanks as a new group', { ...internal, groupId: 'New Group', title: '  ' }],
    ['a label', { ...external, name: ' ' }],
    ['a link', { ...external, link: '' }],
  ])('%s', (_, form) => {
    expect(isComplete(form)).toBe(false)
    expect(refusalOf(form)).toBe(texts.invalidData)
  })

  it.each(['x.org', '//x.org', 'javascript:alert(1)', 'data:text/html,x', 'ftp://x.org', 'https://'])(
    'a full web address and not %s',
    (link) => {
      expect(isComplete({ ...external, link })).toBe(true)
      expect(refusalOf({ ...external, link })).toEqual({
        title: 'Invalid URL',
        message: 'Please provide the complete URL!',
      })
    },
  )

  it('and nothing else', () => {
    expect(refusalOf(internal)).toBeUndefined()
    expect(refusalOf(external)).toBeUndefined()
    expect(refusalOf({ ...internal, groupId: 'New Group', title: 'Fleet' })).toBeUndefined()
  })
})

it('sends what 7.8 asks for', () => {
  expect(entryOf(internal, 'g1')).toEqual({
    name: 'Shop',
    groupId: 'g1',
    icon: 'spaces',
    link: 'routerLink',
    selectedEntryId: 's1',
    type: 'spaces',
  })
  expect(entryOf(external, 'g1')).toMatchObject({ name: 'Runbook', link: 'https://x.org', type: 'externalLink' })
})

it('starts with spaces', () => expect(defaultCategory).toBe('spaces'))

it.each([
  ['spaces', 'Space'],
  ['dashboards', 'Dashboard'],
  ['apps', 'App'],
  ['clusters', 'Cluster'],
] as const)('names the kind of a pinned item: %s', (kind, word) => {
  expect(pinningText('A $& B', kind)).toBe(
    `Pinning A $& B ${word} to the Custom Sidebar! Select a group or create a new one to which the item should be pinned to.`,
  )
})
