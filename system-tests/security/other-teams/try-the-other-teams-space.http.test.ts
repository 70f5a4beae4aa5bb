import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { ensureChromium } from '@quayside/embedded/chromium'
import { buildWeb, webIsStale } from '@quayside/embedded/launch/web-build'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deployBody,
  makeTeam,
  makeTenant,
  marksOf,
  stateOf,
  type Team,
  type Tenant,
} from '../../permissions/two-teams.ts'
import { connected, heard, helm, sockets, stage } from './doors.ts'
import { triesByDoor } from './tries-by-door.ts'

let world: World
let tenant: Tenant
let mine: Team
let theirs: Team
let before: unknown
/** One for each team. */
let browsers: Browser[] = []
const folder = mkdtempSync(join(tmpdir(), 'quayside-other-team-'))

beforeAll(async () => {
  const root = resolve(import.meta.dirname, '../../..')
  if (webIsStale(root)) await buildWeb(root)
  world = await World.start({ cluster: { speed: 10 } })
  tenant = await makeTenant(world)
  ;[mine, theirs] = await Promise.all([makeTeam(world, tenant, 'harbour'), makeTeam(world, tenant, 'quarry')])
  const options = { executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] }
  browsers = await Promise.all([mine, theirs].map(() => chromium.launch(options)))
  const [page, theirPage] = await Promise.all([mine, theirs].map((team, at) => signedIn(team, browsers[at])))
  Object.assign(stage, { world, tenant, mine, theirs, folder, page, theirPage })
  before = await stateOf(tenant, theirs)
  // The pages may have to be built first.
}, 300_000)
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  for (const browser of browsers) await browser.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A page of a person who manages the space of a team and has a kubeconfig for it. */
async function signedIn({ manager, space, clusterId, name }: Team, browser: Browser | undefined) {
  const person = await world.personWith({ realmRoles: ['quayside-member'] })
  const { access_token: token } = await signInAsPerson(world, person)
  await manager.good(`/portal-api/v3/spaces/${space.id}/permissions`, {
    body: { principal: { type: 'user', id: decodeJwt(token).sub }, role: 'manager' },
  })
  const body = { places: [{ spaceId: space.id, clusterId }] }
  expect((await world.api('/cluster/v1/kubeconfigs', { token, body })).status).toBe(200)
  const page = await (await browser?.newContext())?.newPage()
  if (page === undefined) throw new Error('there is no browser')
  await page.goto(`${world.url}/en/home`)
  await page.getByLabel('Username or e-mail').fill(person.username)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  // The own app is there to be seen: a page that shows nothing at all proves nothing.
  await page.goto(`${world.url}/en/apps`)
  await page.getByRole('main').getByText(`${name}-app`).first().waitFor()
  return page
}

const rows = Object.entries(triesByDoor).flatMap(([door, tries]) => tries.map((each) => [door, ...each] as const))
const empty = /^\{"data":\[\](,"page":\{"skip":0,"limit":\d+,"total":0\},"next":null)?\}$/

describe('a manager of one team', () => {
  it.each(rows)('by %s cannot %s of the other team', async (_, __, how, ending) => {
    const { status, text } = await how()
    const about = `${status} ${text.slice(0, 500)}`
    if (ending === 'nothing') {
      expect(status, about).toBe(200)
      if (text.startsWith('{"data":[]')) expect(text).toMatch(empty)
    } else expect(status, about).toBe(ending)
    expect(
      marksOf(theirs).filter((mark) => text.includes(mark)),
      about,
    ).toEqual([])
    expect(text).not.toContain(theirs.secret)
  })

  it('has changed nothing there', async () => {
    expect(await stateOf(tenant, theirs)).toEqual(before)
  })

  it('sees the same counts whatever the other team has', async () => {
    const { item } = tenant.child
    const counted = await mine.manager.good<{ deployedCount: number }>(`/catalog/v2/items/${item.id}`)
    expect(counted.deployedCount).toBe(1)
    const total = async (path: string) => (await mine.manager.good<{ page: { total: number } }>(path)).page.total
    expect(await total('/portal-api/v2/spaces')).toBe(1)
    expect(await total('/portal-api/v2/apps')).toBe(2)
    const own = await mine.manager.good<{ data: { spaceId: string }[] }>('/deployment/v1/actions?page.limit=1000')
    expect(new Set(own.data.map(({ spaceId }) => spaceId))).toEqual(new Set([mine.space.id]))
  })

  it('sees nothing on an open page of what the other team changes, which sees it at once', async () => {
    const { page, theirPage } = stage
    const shown = (where: typeof page, text: string) => where.getByRole('main').getByText(text).first().waitFor()
    const rename = (team: Team, displayName: string) =>
      team.deployer.good(`/portal-api/v2/apps/${team.app.id}`, { method: 'PATCH', body: { displayName } })
    await Promise.all([page, theirPage].map((each) => each.goto(`${world.url}/en/apps`)))
    await Promise.all([shown(page, mine.app.displayName), shown(theirPage, theirs.app.displayName)])
    await rename(theirs, 'Sea gate')
    await shown(theirPage, 'Sea gate')
    // The page was told of this one afterwards, and so had its time for the other.
    await rename(mine, 'Land gate')
    await shown(page, 'Land gate')
    const seen = await page.getByRole('main').innerText()
    expect([...marksOf(theirs), 'Sea gate'].filter((mark) => seen.includes(mark))).toEqual([])
    for (const team of [mine, theirs]) await rename(team, team.app.displayName)
  })

  it('hears nothing of what the other team does, on any topic', async () => {
    const socket = await connected()
    const topics = ['apps', 'spaces', 'actions', 'requests', 'clusters'].map((topic) => ({ topic }))
    const named = [
      { topic: 'app', id: theirs.app.id },
      { topic: 'app', id: mine.app.id },
      { topic: 'cluster', id: theirs.clusterId },
    ]
    for (const topic of [...topics, ...named]) socket.emit('watch', topic)
    socket.emit('register', { releaseName: theirs.app.releaseName, lastSeq: 0 })
    const tagOwn = () => mine.deployer.good(`/portal-api/v2/apps/${mine.app.id}/tags/heard`, { method: 'PUT' })
    const hearsOwn = async () => {
      await tagOwn()
      return heard.some((line) => line.includes(mine.app.id))
    }
    await expect.poll(hearsOwn, { timeout: 10_000 }).toBe(true)
    await theirs.deployer.good(`/portal-api/v2/apps/${theirs.app.id}/tags/common`, { method: 'PUT' })
    const { releaseName, ...body } = deployBody(tenant, theirs.space, theirs.app, '', 'code: other1234\nreplicas: 1\n')
    const upgraded = await theirs.deployer.good<{ actionId: string }>(`${helm}/actions.Upgrade`, { body })
    await theirs.deployer.good(`/deployment/v1/actions/${upgraded.actionId}?wait=50`)
    // Notes of one server come in their order: after this one nothing of before is on its way.
    heard.splice(0, heard.length, ...heard.filter((line) => !line.includes(mine.app.id)))
    await expect.poll(hearsOwn, { timeout: 10_000 }).toBe(true)
    expect(heard.filter((line) => marksOf(theirs).some((mark) => line.includes(mark)))).toEqual([])
    expect(heard.filter((line) => line.includes('"actions"') || line.includes('"message"'))).toEqual([])
  })
})

it('has tried at least forty things, and through every door', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40)
  for (const [door, tries] of Object.entries(triesByDoor)) expect(tries.length, door).toBeGreaterThan(1)
})
