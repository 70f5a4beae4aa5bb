import type { Scope } from '@quayside/contract/permissions/scopes'
import { expect, test } from 'vitest'
import type { Release } from '../../../adapters/helm/release.ts'
import { createHidden } from './followed-secrets.ts'

const release = (revision: number) => ({ revision }) as Release

/** Somebody who follows releases whose secrets are called after the app and the revision. */
function follow(scopes: Scope[]) {
  const state = { scopes }
  const hidden = createHidden({
    access: { scopes: new Set(scopes) },
    mustStillBeAllowed: async () => ({ scopes: new Set(state.scopes) }),
    redactor: async (appId, { revision }) => {
      return (text) => text.replaceAll(`${appId}${revision}`, '•')
    },
  })
  return { ...hidden, state }
}

test('the secrets of each app are hidden, and those that an upgrade has brought in what was followed before', async () => {
  const { learn, hideOf } = follow(['app.view'])
  await learn('shop', release(1))
  await learn('bank', release(1))
  const [shop, bank] = [hideOf('shop'), hideOf('bank')]
  expect(shop?.('shop1 shop2 bank1')).toBe('• shop2 bank1')
  expect(bank?.('bank1')).toBe('•')
  await learn('shop', release(2))
  await learn('shop', undefined)
  expect(shop?.('shop2')).toBe('•')
})

test('who sees secrets reads them, until they lose the right', async () => {
  const { hideOf, mustStillRead, state } = follow(['app.view', 'app.secrets'])
  expect(hideOf('shop')).toBeUndefined()
  await mustStillRead()
  state.scopes = ['app.view']
  await expect(mustStillRead()).rejects.toMatchObject({ code: 'auth.forbidden' })
})
