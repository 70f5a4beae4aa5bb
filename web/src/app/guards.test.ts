import { describe, expect, it, vi } from 'vitest'
import type { Portal } from '../lib/portal.tsx'
import { holdsRoles, holdsScopes, runGuards, signedIn } from './guards.ts'

const soon = Date.now() / 1000 + 600
const demand = { section: undefined, scopes: undefined }

function portal({ expires = soon, renews = false, roles = {} as Record<string, string[]> } = {}) {
  const accessToken = { expiryTimestamp: expires }
  const resourceAccess = Object.fromEntries(
    Object.entries(roles).map(([section, held]) => [`quayside-portal-ui-${section}`, held.map((name) => ({ name }))]),
  )
  const session = { token: () => ({ accessToken }), tokens: { refresh: async () => renews }, signInAgain: vi.fn() }
  const api = {
    send: async (_: string, path: string) => {
      if (path === '/portal-api/v3/scopes/mine') return { data: [{ spaceId: 'shop', scopes: ['app.view'] }] }
      if (path === '/portal-api/v2/apps/web') return { spaceId: 'shop' }
      throw new Error('not there')
    },
  }
  return { session, api, me: () => ({ resourceAccess }) } as unknown as Portal & { session: typeof session }
}

describe('signed in', () => {
  it('goes on with a token that is valid, or that was renewed', async () => {
    expect(await signedIn(portal(), demand)).toBeUndefined()
    expect(await signedIn(portal({ expires: 1, renews: true }), demand)).toBeUndefined()
  })

  it('sends to the sign-in page with a token that has expired and is not renewed', async () => {
    const here = portal({ expires: 1 })
    expect(await signedIn(here, demand)).toBe('gone')
    expect(here.session.signInAgain).toHaveBeenCalledOnce()
  })
})

describe('the role of a section', () => {
  it.each([
    ['is not asked for where everybody may go', undefined, {}, undefined],
    ['opens its own section', 'clusters', { clusters: ['access'] }, undefined],
    ['opens no other section', 'clusters', { apps: ['access'] }, 'clusters:access'],
    ['is access, and no other role', 'clusters', { clusters: ['clusters.view'] }, 'clusters:access'],
  ] as const)('%s', async (_, section, roles, missing) => {
    const verdict = await holdsRoles(portal({ roles: roles as Record<string, string[]> }), { ...demand, section })
    expect(verdict).toEqual(missing && { ask: 'role', role: missing, deed: 'open this page' })
  })
})

describe('the scopes of a page', () => {
  const of = (id: string) => ({ ...demand, scopes: { anyOf: ['app.view'] as const, source: 'APP' as const, id } })

  it('are looked up in the space of the app', async () => {
    expect(await holdsScopes(portal(), of('web'))).toBeUndefined()
    expect(await holdsScopes(portal(), of('gone'))).toEqual({
      ...{ ask: 'scope', scope: 'app.view', place: 'app', id: 'gone', deed: 'open this app' },
    })
  })
})

describe('guards, one after another', () => {
  it('keep why a page did not open beside its address', async () => {
    const wanted = { ...demand, section: 'clusters' as const }
    const refused = await runGuards([signedIn, holdsRoles, holdsScopes], portal(), wanted, '/clusters').catch((e) => e)
    expect(refused.options).toMatchObject({
      to: '/unauthorized',
      state: { refused: { question: { ask: 'role', role: 'clusters:access' }, from: '/clusters' } },
    })
  })

  it('end at the first that says no', async () => {
    const never = vi.fn()
    const leaving = await runGuards([signedIn, never], portal({ expires: 1 }), demand, '/home').catch((e) => e)
    expect(leaving.options).toEqual(expect.objectContaining({ to: '/unauthorized' }))
    expect(leaving.options.state).toBeUndefined()
    expect(never).not.toHaveBeenCalled()
  })
})
