import type { Scope } from '@quayside/contract/permissions/scopes'
import { expect, test } from 'vitest'
import type { Release } from '../../../adapters/helm/release.ts'
import { createHidden } from './followed-secrets.ts'

/** Somebody who follows a release whose secret is called after its revision. */
async function follow(scopes: Scope[]) {
  const state = { revision: 1, scopes, isAway: false }
  const hidden = await createHidden({
    access: { scopes: new Set(scopes) },
    mustStillBeAllowed: async () => ({ scopes: new Set(state.scopes) }),
    async release() {
      if (state.isAway) throw new Error('the cluster is away')
      return { revision: state.revision } as Release
    },
    redactor:
      async ({ revision }) =>
      (text) =>
        text.replaceAll(`secret${revision}`, '•'),
  })
  return { ...hidden, state }
}

test('secrets that an upgrade has brought are hidden in what was followed before', async () => {
  const { hide, lookAgain, state } = await follow(['app.view'])
  expect(hide?.('secret1 secret2')).toBe('• secret2')
  state.revision = 2
  await lookAgain()
  expect(hide?.('secret2')).toBe('•')
  state.isAway = true
  await lookAgain()
  expect(hide?.('secret2')).toBe('•')
})

test('who sees secrets follows without a look at the release, until they lose the right', async () => {
  const { hide, lookAgain, state } = await follow(['app.view', 'app.secrets'])
  expect(hide).toBeUndefined()
  await lookAgain()
  state.scopes = ['app.view']
  await expect(lookAgain()).rejects.toMatchObject({ code: 'auth.forbidden' })
})
