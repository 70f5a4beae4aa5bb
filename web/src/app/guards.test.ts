import { isRedirect } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import type { Portal } from '../lib/portal.tsx'
import { guardsInOrder, runGuards } from './guards.ts'

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

/** A portal that writes down what the guards ask it for, in order. */
function portalOf({ signedIn, roles, scopes }: { signedIn: boolean; roles: boolean; scopes: boolean }) {
  const asked: string[] = []
  const portal = {
    session: {
      token() {
        asked.push('sign-in')
        return signedIn ? { accessToken: { expiryTimestamp: inAnHour() } } : undefined
      },
      tokens: { refresh: async () => false },
      signInAgain: async () => undefined,
    },
    me() {
      asked.push('roles')
      return { resourceAccess: roles ? { 'quayside-portal-ui-apps': [{ name: 'access' }] } : {} }
    },
    api: {
      get: async () => undefined,
      async send() {
        asked.push('scopes')
        return { data: scopes ? [{ spaceId: 's1', scopes: ['space.view'] }] : [] }
      },
    },
  }
  return { asked, portal: portal as unknown as Portal }
}

const demand = {
  section: 'apps',
  scopes: { anyOf: ['space.view'], source: 'SPACE', id: 's1' },
} as const

async function enter(portal: Portal) {
  try {
    await runGuards(guardsInOrder, portal, demand, '/spaces/s1/overview')
    return 'open'
  } catch (error) {
    if (!isRedirect(error)) throw error
    const refused = error.options.state as { refused?: { question: { ask: string } } } | undefined
    return refused?.refused?.question.ask ?? 'sign-in'
  }
}

it.each([
  ['nobody is signed in', { signedIn: false, roles: false, scopes: false }, 'sign-in', ['sign-in']],
  ['the role is missing', { signedIn: true, roles: false, scopes: false }, 'role', ['sign-in', 'roles']],
  ['the scope is missing', { signedIn: true, roles: true, scopes: false }, 'scope', ['sign-in', 'roles', 'scopes']],
  ['nothing is missing', { signedIn: true, roles: true, scopes: true }, 'open', ['sign-in', 'roles', 'scopes']],
] as const)('when %s, that guard decides and no later one is asked', async (_, held, verdict, asks) => {
  const { asked, portal } = portalOf(held)
  expect(await enter(portal)).toBe(verdict)
  expect([...new Set(asked)]).toEqual(asks)
})

it('keeps why a page did not open, and its address, for the page that says so', async () => {
  const { portal } = portalOf({ signedIn: true, roles: false, scopes: false })
  const redirected = await runGuards(guardsInOrder, portal, demand, '/spaces/s1/overview').catch((error) => error)
  expect(redirected.options).toMatchObject({
    to: '/unauthorized',
    state: { refused: { question: { ask: 'role', role: 'apps:access' }, from: '/spaces/s1/overview' } },
  })
})

it('says of a dashboard that it is not shared, and names no right that would open it', async () => {
  const { portal } = portalOf({ signedIn: true, roles: true, scopes: true })
  const dashboard = { anyOf: ['dashboard.view'], source: 'DASHBOARD', id: 'd1' } as const
  const redirected = await runGuards(
    guardsInOrder,
    portal,
    { section: 'apps', scopes: dashboard },
    '/dashboards/d1',
  ).catch((error) => error)
  expect(redirected.options.state).toEqual({ refused: { question: undefined, from: '/dashboards/d1' } })
})
