import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { World } from '@quayside/embedded/world'
import { findProgram, runProgram } from '@quayside/embedded-kubernetes/conformance/programs'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import { deployBody, marksOf, metadataOf, type Team, type Tenant } from '../../permissions/two-teams.ts'

/** Answer to an attempt: its status, and its text, which must hold nothing of the other team. */
export interface Seen {
  status: number
  text: string
}

/** Two teams, and a browser for each, in which a manager of it is signed in; filled before the attempts. */
export const stage = {} as {
  world: World
  tenant: Tenant
  mine: Team
  theirs: Team
  page: Page
  theirPage: Page
  folder: string
}

export const sockets: Socket[] = []
/** Lines that any of the sockets has heard. */
export const heard: string[] = []

export async function call(path: string, how: { method?: string; body?: unknown } = {}): Promise<Seen> {
  const answer = await stage.world.api(path, { token: stage.mine.manager.token, ...how })
  return { status: answer.status, text: await answer.text() }
}
export const put = (path: string, body: unknown) => call(path, { method: 'PUT', body })
export const patch = (path: string, body: unknown) => call(path, { method: 'PATCH', body })
export const remove = (path: string, body?: unknown) => call(path, { method: 'DELETE', body })

export async function connected(): Promise<Socket> {
  const socket = io(stage.world.url, {
    path: '/deployment/socket.io',
    auth: { token: stage.mine.manager.token },
    forceNew: true,
  })
  sockets.push(socket)
  socket.onAny((...said) => heard.push(JSON.stringify(said)))
  await expect.poll(() => socket.connected).toBe(true)
  return socket
}
export const registered = async (asked: object): Promise<Seen> => {
  const socket = await connected()
  return { status: 200, text: JSON.stringify(await socket.timeout(5000).emitWithAck('register', asked)) }
}

export async function kubectl(args: string): Promise<Seen> {
  const places = [{ spaceId: stage.mine.space.id, clusterId: stage.mine.clusterId }]
  const { kubeconfig } = await stage.mine.manager.good<Kubeconfig>('/cluster/v1/kubeconfigs', { body: { places } })
  const file = join(stage.folder, 'config')
  writeFileSync(file, kubeconfig)
  const program = await findProgram('kubectl')
  if (!program) throw new Error('there is no kubectl here')
  const { out, err } = await runProgram(program, args.split(' '), { KUBECONFIG: file, HOME: stage.folder })
  return { status: err.includes('orbidden') ? 403 : 200, text: out }
}

export const helm = '/deployment/v1/helm/deployment'
export const app = () => `/portal-api/v2/apps/${stage.theirs.app.id}`
export const space = () => `/portal-api/v3/spaces/${stage.theirs.space.id}`
export const action = () => `/deployment/v1/actions/${stage.theirs.action.id}`
export const cluster = (what: string) => `/cluster/v1/apps/${stage.theirs.app.id}/${what}`
export const post = (kind: string, body: unknown) => call(`${helm}/actions.${kind}`, { body })
export const upgradeOf = (team: Team) => {
  const { releaseName, ...body } = deployBody(stage.tenant, team.space, team.app, '', 'code: stolen12\n')
  return body
}

/** Words of a page that says that something is not there for the person. */
const unseen = /There is nothing here that you can see|This (action|app|space) does not exist/

/** A page in both browsers: that of the other team shows what this one must not, or its silence would prove nothing. */
export async function browse(path: string): Promise<Seen> {
  const [seen, shown] = await Promise.all([stage.page, stage.theirPage].map((page) => pageAt(page, path)))
  const marks = marksOf(stage.theirs).filter((mark) => shown?.text.includes(mark))
  expect(marks, `${path} for the other team: ${shown?.text.slice(0, 500)}`).not.toEqual([])
  return seen as Seen
}

/** The text of a page once it has loaded, without the ids of its address, which a page may repeat. */
async function pageAt(page: Page, path: string): Promise<Seen> {
  await page.goto(`${stage.world.url}/en/${path}`)
  const main = page.getByRole('main')
  await main.getByRole('heading').or(main.getByText(unseen)).first().waitFor()
  await expect.poll(() => main.locator('[aria-busy=true]').count(), { timeout: 15_000 }).toBe(0)
  await page.waitForLoadState('networkidle')
  const { space, app, action } = stage.theirs
  const asked = [space, app, action].map(({ id }) => id).filter((id) => path.includes(id))
  const text = asked.reduce((said, id) => said.replaceAll(id, ''), await main.innerText())
  return { status: unseen.test(text) ? 404 : 200, text }
}

/** The preview of an own app whose chart carries out a template that is a value. */
export async function chart(template: string): Promise<Seen> {
  const { tenant, mine } = stage
  const { deployData } = deployBody(
    tenant,
    mine.space,
    mine.app,
    '',
    `code: ${mine.secret}\ntemplate: ${JSON.stringify(template)}\n`,
  )
  const seen = await put(`${helm}/preview/${tenant.child.version.id}`, {
    appMetadata: metadataOf(mine.app, mine.space),
    yaml: deployData.yaml,
  })
  // It was carried out, and what came of it is shown.
  if (seen.status === 200) expect(seen.text).toContain('looked-up')
  return seen
}
