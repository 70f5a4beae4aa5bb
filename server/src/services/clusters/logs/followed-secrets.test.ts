import type { Scope } from '@quayside/contract/permissions/scopes'
import { expect, test } from 'vitest'
import type { Release } from '../../../adapters/helm/release.ts'
import { createHidden } from './followed-secrets.ts'

const of =
  (...releases: [revision: number, updatedAt?: string][]) =>
  async () =>
    releases.map(([revision, updatedAt = '']) => ({ revision, updatedAt }) as Release)

/** Somebody who follows releases whose secrets are called after the app, the revision and its time. */
function follow(scopes: Scope[]) {
  const state = { scopes }
  const hidden = createHidden({
    access: { scopes: new Set(scopes) },
    mustStillBeAllowed: async () => ({ scopes: new Set(state.scopes) }),
    redactor: async (appId, { revision, updatedAt }) => {
      return (text) => text.replaceAll(`${appId}${revision}${updatedAt}`, '•')
    },
  })
  return { ...hidden, state }
}

test('the secrets of each app are hidden, those of an upgrade and still those of the revision before it', async () => {
  const { learn, hideOf } = follow(['app.view'])
  await learn('shop', of([1]))
  await learn('bank', of([1]))
  const [shop, bank] = [hideOf('shop'), hideOf('bank')]
  expect(shop?.('shop1 shop2 bank1')).toBe('• shop2 bank1')
  expect(bank?.('bank1')).toBe('•')
  await learn('shop', of([2]))
  expect(shop?.('shop1 shop2')).toBe('• •')
})

test('a release that was installed anew has secrets of its own', async () => {
  const { learn, hideOf } = follow(['app.view'])
  await learn('shop', of([1, 'monday']))
  await learn('shop', of([1, 'tuesday']))
  expect(hideOf('shop')?.('shop1monday shop1tuesday')).toBe('• •')
})

test('nothing is shown of an app whose secrets are not known, line by line', async () => {
  const { learn, hideOf } = follow(['app.view'])
  expect(hideOf('shop')?.('a\nb\n')).toBe('••••••••\n••••••••\n')
  await learn('shop', of([1]))
  expect(hideOf('shop')?.('a shop1\n')).toBe('a •\n')
  await expect(learn('shop', () => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable')
  expect(hideOf('shop')?.('a\n')).toBe('••••••••\n')
  await learn('shop', of([1]))
  expect(hideOf('shop')?.('a\n')).toBe('a\n')
})

test('who sees secrets reads them, until they lose the right', async () => {
  const { hideOf, mustStillRead, state } = follow(['app.view', 'app.secrets'])
  expect(hideOf('shop')).toBeUndefined()
  await mustStillRead()
  state.scopes = ['app.view']
  await expect(mustStillRead()).rejects.toMatchObject({ code: 'auth.forbidden' })
})
