import { describe, expect, it } from 'vitest'
import type { Api } from '../../lib/api/api.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { meetsScopes, type ScopeRequirement, standingOf } from './my-scopes.ts'

const member = { resourceAccess: {} }
const operator = { resourceAccess: { 'quayside-portal-ui-catalog-apps': [{ name: 'catalog.deployments.view' }] } }
const mine = { data: [{ spaceId: 'shop', scopes: ['space.view', 'app.view'] }] }

/** An API that answers each path from the table, and 404 for any other path. */
function answering(answers: Record<string, unknown>) {
  const asked: string[] = []
  const send = async (_: string, path: string) => {
    asked.push(path)
    if (!(path in answers)) throw new ApiError(404, 'It is not there.')
    return answers[path]
  }
  return { api: { send } as unknown as Api, asked }
}

const inShop = {
  '/portal-api/v3/scopes/mine': mine,
  '/portal-api/v2/apps/web': { spaceId: 'shop' },
  '/dashboard/v3/dashboards/board': { scopes: ['dashboard.view'] },
}
const asks = (more: Partial<ScopeRequirement>): ScopeRequirement => ({
  ...{ anyOf: ['app.view'], source: 'APP', id: 'web' },
  ...more,
})

describe('scope check', () => {
  it.each<[string, Partial<ScopeRequirement>, boolean]>([
    ["a scope of the app's space", {}, true],
    ['any of several', { anyOf: ['app.manage', 'app.view'] }, true],
    ['a scope that is not held there', { anyOf: ['app.manage'] }, false],
    ['an app that cannot be fetched', { id: 'gone' }, false],
    ['a scope of the space', { source: 'SPACE', id: 'shop', anyOf: ['space.view'] }, true],
    ['the scope of another space', { source: 'SPACE', id: 'bank', anyOf: ['space.view'] }, false],
    ['a dashboard that is not there', { source: 'DASHBOARD', id: 'web', anyOf: ['dashboard.view'] }, false],
    ['a scope of the dashboard', { source: 'DASHBOARD', id: 'board', anyOf: ['dashboard.view'] }, true],
  ])('%s', async (_, requirement, isMet) => {
    expect(await meetsScopes(answering(inShop).api, member, asks(requirement))).toBe(isMet)
  })

  it('lets nobody in when the scopes cannot be fetched', async () => {
    const { api } = answering({ '/portal-api/v2/apps/web': { spaceId: 'shop' } })
    expect(await meetsScopes(api, member, asks({}))).toBe(false)
  })

  it('asks nothing of somebody who holds it in every space', async () => {
    const { api, asked } = answering({})
    expect(await meetsScopes(api, operator, asks({ id: 'gone' }))).toBe(true)
    expect(asked).toEqual([])
  })
})

it('what the token says and what the lists say become one', () => {
  const { roles, spaces } = standingOf(operator, { data: [{ spaceId: 'shop', scopes: ['space.view'] }] })
  expect([...roles]).toEqual(['quayside-portal-ui-catalog-apps:catalog.deployments.view'])
  expect(spaces.get('shop')).toEqual(['space.view'])
})
