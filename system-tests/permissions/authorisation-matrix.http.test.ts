import { type GuardedCall, guardedCalls } from '@quayside/contract/capabilities'
import { pathOf } from '@quayside/contract/http/path'
import { role } from '@quayside/contract/http/policy'
import { clientOf, roleName } from '@quayside/contract/permissions/roles'
import { spaceRoles } from '@quayside/contract/permissions/scopes'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Actor,
  entryFor,
  foreignAdmin,
  holdsOf,
  looksAtClusters,
  managing,
  roleOf,
  shortLived,
  worthlessTokens,
} from './actors.ts'
import { type Ending, expectedFor, type Holds } from './expected.ts'
import { narrowed, swapsOf } from './id-swaps.ts'
import { makeTokens, mustBeRefused, type Tokens } from './personal-tokens.ts'
import { type Asked, type Try, triesOf } from './tries.ts'
import { makeTeam, makeTenant, marksOf, newPerson, stateOf, type Team, type Tenant } from './two-teams.ts'

let world: World
let tenant: Tenant
let team: Team
let others: Team
let actors: Actor[]
let worthless: Record<string, string | undefined>
let abroad: string
let tries: Record<string, Try>
let before: unknown[]
/** Personal tokens of one more administrator. */
let tokens: Tokens

const launching = ['space.view', 'app.view', 'space.deploy'] as const
const keeping = ['space.view', 'app.view', 'app.manage'] as const

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 10 },
    // Each call comes from an address of its own, or tokens that are refused would soon not be looked at.
    env: { QUAYSIDE_TRUSTED_PROXIES: '127.0.0.1, ::1' },
  })
  const expiring = await shortLived(world)
  tenant = await makeTenant(world)
  const clusterRoles = { [clientOf(looksAtClusters.section)]: [...looksAtClusters.roles] }
  const [launcher, keeper, operator, looker, second, ...bad] = await Promise.all([
    newPerson(world),
    newPerson(world),
    newPerson(world, { realmRoles: ['quayside-operator'] }),
    newPerson(world, { realmRoles: ['quayside-member'], clientRoles: clusterRoles }),
    newPerson(world, { realmRoles: ['quayside-admin'] }),
    worthlessTokens(world, expiring),
    foreignAdmin(world),
  ])
  ;[worthless, abroad] = bad
  const entries = [
    entryFor(launcher, await roleOf(tenant, 'Launcher', launching)),
    entryFor(keeper, await roleOf(tenant, 'Keeper', keeping)),
  ]
  ;[team, others] = await Promise.all([makeTeam(world, tenant, 'harbour', entries), makeTeam(world, tenant, 'quarry')])
  actors = [
    { name: 'viewer', token: team.viewer.token, holds: holdsOf('quayside-member', spaceRoles.viewer.scopes) },
    { name: 'deployer', token: team.deployer.token, holds: holdsOf('quayside-member', spaceRoles.deployer.scopes) },
    { name: 'manager', token: team.manager.token, holds: holdsOf('quayside-member', managing) },
    { name: 'launcher', token: launcher.token, holds: holdsOf('quayside-member', launching) },
    { name: 'keeper', token: keeper.token, holds: holdsOf('quayside-member', keeping) },
    { name: "other team's manager", token: others.manager.token, holds: holdsOf('quayside-member', [], managing) },
    {
      name: 'member who looks at clusters',
      token: looker.token,
      holds: holdsOf('quayside-member', [], [], looksAtClusters),
    },
    { name: 'platform operator', token: operator.token, holds: holdsOf('quayside-operator') },
    { name: 'administrator', token: second.token, holds: holdsOf('quayside-admin') },
  ]
  tries = triesOf(tenant, team)
  tokens = await makeTokens(world, team.space.id)
  before = await Promise.all([team, others].map((each) => stateOf(tenant, each)))
})
afterAll(() => world?.close())

const nobody = { roles: new Set<string>(), here: new Set<never>(), anywhere: new Set<never>() }
let address = 0

async function ask({ endpoint }: GuardedCall, { params, query, body }: Asked, token: string | undefined) {
  address += 1
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const answer = await world.api(pathOf(endpoint, params) + search, {
    method: endpoint.method,
    ...(token === undefined ? {} : { token }),
    body,
    headers: { 'x-forwarded-for': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}` },
  })
  const text = await answer.text()
  const isOneObject = answer.headers.get('content-type')?.startsWith('application/json') && text.startsWith('{')
  const { code = '' } = isOneObject ? (JSON.parse(text) as { code?: string }) : {}
  return { status: answer.status, code, text }
}
type Answer = Awaited<ReturnType<typeof ask>>

const tryOf = (call: GuardedCall): Try => {
  const found = tries[call.address]
  if (!found) throw new Error(`nobody tries ${call.address}: say in tries.ts how it is called`)
  return found
}

/** Marks of a team that an answer contains, without those that the request itself contained or that a role shows. */
function namedIn({ text }: Answer, whose: Team, asked: Asked, { roles }: Pick<Holds, 'roles'> = nobody): string[] {
  const said = JSON.stringify([asked.params, asked.query, asked.body])
  const isKnown = (mark: string) =>
    said.includes(mark) || (mark === whose.clusterId && roles.has(roleName(role('clusters', 'clusters.view'))))
  return marksOf(whose).filter((mark) => text.includes(mark) && !isKnown(mark))
}

/** An answer without what differs by itself: the id of the request, and the id that it was about. */
function wordsOf({ status, text }: Answer, ids: readonly string[]): string {
  const plain = text.replace(/"requestId":"[^"]*"/, '')
  return `${status} ${ids.reduce((words, id) => words.replaceAll(id, 'an id'), plain)}`
}

/** Where somebody was let in, the answer says nothing of the door. */
function endingOf({ status, code }: Answer): string {
  if (status === 401 || code === 'auth.forbidden') return `${status} ${code}`
  return status >= 500 && status !== 502 ? `${status} ${code}` : 'in'
}

async function mildly({ mild, ...inEarnest }: Try): Promise<Asked> {
  return (typeof mild === 'function' ? await mild() : mild) ?? inEarnest
}

async function tryAs(call: GuardedCall, actor: Actor) {
  const one = tryOf(call)
  const expected: Ending = expectedFor(call.policy, one, actor.holds)
  const asked = expected === 'in' ? await mildly(one) : one
  const answer = await ask(call, asked, actor.token)
  const mayKnow = actor.holds.here.has('space.view')
  const strangers = [...(mayKnow ? [] : [team]), ...(actor.holds.here === actor.holds.anywhere ? [others] : [])]
  return { expected, answer, asked, strangers, sees: mayKnow && expected === 'in' }
}

/** It ends the token that makes it, and so comes last. */
const isLast = ({ address: where }: GuardedCall) => where === 'POST /iam/v2/account/logout'
const named = (call: GuardedCall) => [call.address, call] as const

it('every call of the table is tried, and there is none that the table does not know', async () => {
  expect(Object.keys(tries).sort()).toEqual(guardedCalls.map(({ address: where }) => where).sort())
  const document = (await (await world.api('/openapi.json')).json()) as { paths: Record<string, object> }
  const served = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(served.sort()).toEqual(Object.keys(tries).sort())
})

describe.each(guardedCalls.filter((call) => !isLast(call)).map(named))('%s', (_, call) => tryOut(call))

function tryOut(call: GuardedCall): void {
  it('takes no token that is worth nothing', async () => {
    const answers = await Promise.all(
      Object.entries(worthless).map(async ([what, token]) => {
        const { status, text } = await ask(call, tryOf(call), token)
        return [what, status, marksOf(team).some((mark) => text.includes(mark) && text.includes('data'))]
      }),
    )
    expect(answers).toEqual(Object.keys(worthless).map((what) => [what, 401, false]))
  })

  it('answers each as the table says', async () => {
    await Promise.all(actors.map((actor) => answersAsExpected(call, actor)))
  })

  it('lets no personal token further than it is narrowed, whatever its owner holds', async () => {
    const one = tryOf(call)
    for (const kind of ['whole', 'readOnly', 'ofSpace'] as const) {
      const isRefused = mustBeRefused(call, kind)
      const answer = await ask(call, isRefused ? one : await mildly(one), tokens[kind])
      const about = `${kind}: ${answer.status} ${answer.text.slice(0, 300)}`
      if (isRefused) expect(answer, about).toMatchObject({ status: 403, code: 'auth.token-limits' })
      else if (kind !== 'ofSpace') expect(endingOf(answer), about).toBe('in')
    }
  })

  it('has nothing for a token of another space', async () => {
    const theirs = triesOf(tenant, others)[call.address] ?? {}
    const answer = await ask(call, theirs, tokens.ofSpace)
    expect(namedIn(answer, others, theirs), answer.text.slice(0, 300)).toEqual([])
    expect(answer.status, answer.text).toBeLessThan(500)
    if (call.policy.kind === 'scope' && theirs.params) expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  })

  it('has nothing for the administrator of another tenant', async () => {
    const one = tryOf(call)
    const answer = await ask(call, one, abroad)
    for (const each of [team, others]) expect(namedIn(answer, each, one), answer.text).toEqual([])
    expect(answer.status, answer.text).toBeLessThan(500)
    if (one.params && one.isEmptyAbroad !== true) expect([404, 400], answer.text).toContain(answer.status)
    else if (one.body && one.isEmptyAbroad !== true) expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  })
}

async function answersAsExpected(call: GuardedCall, actor: Actor): Promise<void> {
  const { expected, answer, asked, strangers, sees } = await tryAs(call, actor)
  const about = `${actor.name}: ${answer.status} ${answer.text.slice(0, 300)}`
  if (expected === 'in') {
    expect(endingOf(answer), about).toBe('in')
    if (call.policy.kind === 'scope') {
      const notThere = expectedFor(call.policy, {}, nobody)
      expect(answer.code, about).not.toBe(notThere === 'in' || notThere.status === 403 ? '' : notThere.code)
    }
  } else expect(answer, about).toMatchObject(expected)
  for (const each of strangers) expect(namedIn(answer, each, asked, actor.holds), about).toEqual([])
  const { shows } = tryOf(call)
  if (shows === undefined) return
  const scope = call.policy.kind === 'filtered' ? call.policy.scope : 'space.view'
  const orRole = call.policy.kind === 'filtered' && call.policy.orRole ? call.policy.orRole : []
  const isShownByRole = expected === 'in' && orRole.some((ref) => actor.holds.roles.has(roleName(ref)))
  const isShown = isShownByRole || (sees && actor.holds.here.has(scope))
  expect(answer.text.includes(shows), about).toBe(isShown)
}

describe("a manager who puts the other team's id in the place of an own one", () => {
  const people = () =>
    [team, others].flatMap(({ viewer, asker, deployer, manager }) => [viewer, asker, deployer, manager])

  it.each(guardedCalls.filter((call) => !isLast(call)).map(named))('%s', async (where, call) => {
    const theirs = triesOf(tenant, others)[where] ?? {}
    const isPerson = (value: string) => people().some(({ id }) => id === value)
    for (const { place, asked, unknown, ids } of swapsOf(tryOf(call), theirs, isPerson)) {
      const [answer, toNobodys] = [
        await ask(call, asked, team.manager.token),
        await ask(call, unknown, team.manager.token),
      ]
      expect(wordsOf(answer, ids), `${place}: an id of others and one of nobody are told apart`).toBe(
        wordsOf(toNobodys, ids),
      )
      const about = `${place}: ${answer.status} ${answer.text.slice(0, 300)}`
      expect(namedIn(answer, others, asked), about).toEqual([])
      expect(answer.status, about).toBeLessThan(500)
      if (where === `POST /deployment/v1/helm/deployment/deployed/:tenantId/ids`)
        expect(answer.text, about).toBe('{"data":[]}')
      else expect(answer.status, about).toBeGreaterThanOrEqual(400)
      if (call.policy.kind === 'scope' && place === call.policy.id.replace('[]', '.0'))
        expect(answer, about).toMatchObject(Object(expectedFor(call.policy, {}, nobody)))
    }
  })

  it('finds nothing in lists that are narrowed to what is theirs', async () => {
    for (const [where, query] of narrowed(others)) {
      const call = guardedCalls.find(({ address: each }) => each === where)
      if (!call) throw new Error(`there is no ${where}`)
      const answer = await ask(call, { query }, team.manager.token)
      const about = `${where} ${JSON.stringify(query)}: ${answer.text.slice(0, 300)}`
      expect(answer.status, about).toBe(200)
      expect(JSON.parse(answer.text), about).toMatchObject({ data: [], page: { total: 0 } })
    }
  })
})

it('nothing of either team has changed by all of this', async () => {
  expect(await Promise.all([team, others].map((each) => stateOf(tenant, each)))).toEqual(before)
})

describe.each(guardedCalls.filter(isLast).map(named))('%s', (_, call) => tryOut(call))
