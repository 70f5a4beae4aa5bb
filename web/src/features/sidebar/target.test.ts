import type { MenuEntry } from '@quayside/contract/sidebar/endpoints'
import { expect, it } from 'vitest'
import { targetOf } from './target.ts'

const entry: MenuEntry = {
  id: 'e',
  groupId: 'g',
  name: 'Shop',
  icon: '',
  link: 'routerLink',
  selectedEntryId: 'abc1234',
  type: 'spaces',
  itemName: 'Shop',
  state: 'open',
}

it.each([
  ['apps', '/apps/abc1234'],
  ['spaces', '/spaces/abc1234/overview'],
  ['clusters', '/clusters/abc1234'],
  ['dashboards', '/dashboards/abc1234'],
] as const)('a pin of %s leads to its page', (type, to) => expect(targetOf({ ...entry, type })).toEqual({ to }))

it.each(['gone', 'closed'] as const)('a pin whose item is %s leads nowhere and says why', (state) => {
  const target = targetOf({ ...entry, state })
  expect(target).not.toHaveProperty('to')
  expect(target).toHaveProperty('why')
})

it('a link leads out only when it is a web address', () => {
  const link = { ...entry, type: 'externalLink' as const, selectedEntryId: null }
  expect(targetOf({ ...link, link: 'https://x.org/a' })).toEqual({ href: 'https://x.org/a' })
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'x.org', ''])
    expect(targetOf({ ...link, link: bad })).not.toHaveProperty('href')
})
