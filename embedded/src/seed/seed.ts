import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientNamed, clientToken, type Directory, makeServiceClient, openDirectory } from '../directory-client.ts'
import { keptPassword, type Plan } from '../launch/plan.ts'
import type { Progress } from '../launch/progress.ts'
import type { Sandbox, Stack } from '../launch/stack.ts'
import { makeSpaces, registerSandbox, uploadCharts } from './content.ts'
import { makeDashboards } from './dashboards.ts'
import { makeGroups, makePeople } from './people.ts'
import { type PortalClient, portalClient } from './portal-client.ts'
import { readSamples, type Samples } from './samples.ts'

/** Steps of the first start that are done already; kept in the data folder. */
type Done = {
  people?: boolean
  charts?: boolean
  spaces?: boolean
  dashboards?: boolean
  sandbox?: { id: string; url: string }
}

type Options = { plan: Plan; stack: Stack; root: string; progress: Progress }

const clientId = 'quayside-first-start'
const recordIn = (dataDir: string) => join(dataDir, 'first-start.json')

/** Tells whether a start from this folder has begun to fill the tenant. */
export const samplesBegun = (dataDir: string) => existsSync(recordIn(dataDir))
/** Remembers that the tenant is to be filled, also when this start is cut short before it has begun. */
export const beginSamples = (dataDir: string) => openRecord(recordIn(dataDir)).keep({})

/**
 * Fills a new tenant through the same doors that people and scripts use. A step that is done is never done again, so
 * that what people delete stays deleted; one that was cut short goes on at the next start.
 */
export async function seedSamples({ plan, stack, root, progress }: Options): Promise<void> {
  const { done, keep } = openRecord(recordIn(plan.dataDir))
  const { sandbox } = stack
  const isSandboxKnown = !sandbox || done.sandbox?.url === sandbox.url
  const isFilled = done.people && done.charts && done.spaces && done.dashboards
  if (isFilled && isSandboxKnown) return
  await progress.step(isFilled ? 'Address of the sandbox' : 'First content', async () => {
    const samples = readSamples(join(root, 'samples'))
    const directory = await openDirectory(stack.identityUrl, plan.realm, adminOf(plan))
    await asTemporaryClient(plan, stack, directory, (portal) =>
      Promise.all([
        fillCatalog(portal, samples, done, keep),
        // Spaces name people and groups as their members.
        fillDirectory(directory, samples, plan.dataDir, done, keep).then(() =>
          fillSpaces({ portal, directory }, samples, isSandboxKnown ? undefined : sandbox, done, keep),
        ),
      ]),
    )
  })
}

async function fillDirectory(
  directory: Directory,
  { groups, people }: Samples,
  dataDir: string,
  done: Done,
  keep: (step: Done) => void,
) {
  if (done.people) return
  const passwordOf = (username: string) => keptPassword(dataDir, username)
  await makePeople(directory, people, await makeGroups(directory, groups), passwordOf)
  keep({ people: true })
}

async function fillCatalog(portal: PortalClient, { charts }: Samples, done: Done, keep: (step: Done) => void) {
  if (done.charts) return
  await uploadCharts(portal, charts)
  keep({ charts: true })
}

async function fillSpaces(
  { portal, directory }: { portal: PortalClient; directory: Directory },
  { spaces, dashboards }: Samples,
  sandbox: Sandbox | undefined,
  done: Done,
  keep: (step: Done) => void,
) {
  if (sandbox) {
    const id = await registerSandbox(portal, sandbox.kubeconfig, done.sandbox?.id)
    keep({ sandbox: { id, url: sandbox.url } })
  }
  if (!done.spaces) await makeSpaces(portal, directory, spaces, done.sandbox ? [done.sandbox.id] : [])
  keep({ spaces: true })
  if (!done.dashboards) await makeDashboards(portal, directory, dashboards)
  keep({ dashboards: true })
}

/** Acts as an administrator of the tenant through a client that is gone afterwards. */
async function asTemporaryClient(
  plan: Plan,
  stack: Stack,
  directory: Directory,
  work: (portal: PortalClient) => Promise<unknown>,
) {
  const remove = async () => {
    const client = await clientNamed(directory, clientId)
    if (client) await directory.remove(`/clients/${client.id}`)
  }
  await remove()
  const client = await makeServiceClient(directory, clientId, { realmRoles: ['quayside-admin'] })
  try {
    const token = await clientToken(stack.identityUrl, plan.realm, client)
    await work(portalClient(plan.url, token))
  } finally {
    await remove()
  }
}

const adminOf = ({ keycloak, identityClient }: Plan) =>
  keycloak ? { id: keycloak.clientId, secret: keycloak.clientSecret } : identityClient

/** A record that is whole at every moment: it is written beside and renamed. */
function openRecord(file: string): { done: Done; keep: (step: Done) => void } {
  const done: Done = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Done) : {}
  const keep = (step: Done) => {
    Object.assign(done, step)
    writeFileSync(`${file}.draft`, `${JSON.stringify(done)}\n`, { mode: 0o600 })
    renameSync(`${file}.draft`, file)
  }
  return { done, keep }
}
