import { expect, it } from 'vitest'
import { signOutEverywhere } from './sign-out.ts'

it('revokes access tokens before what they depend on, and ends the session last', async () => {
  const done: string[] = []
  const manager = (name: string) => ({
    revokeTokens: async (kinds?: string[]) => void done.push(`${name}: ${kinds?.join()}`),
    getUser: async () => ({ id_token: `${name} id` }) as never,
    signoutRedirect: async (args?: { id_token_hint?: string }) =>
      void done.push(`${name}: out, ${args?.id_token_hint}`),
  })
  await signOutEverywhere({ sectionManagers: () => [manager('users')], managerOf: () => manager('main') })
  expect(done).toEqual(['users: access_token', 'users: refresh_token', 'main: access_token', 'main: out, main id'])
})
