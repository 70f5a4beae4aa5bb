import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocked } from '@quayside/embedded-postgres/lock'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { CallFailed, type Directory, openDirectory } from '../directory-client.ts'
import { dataDirFrom, type Plan, planFrom } from './plan.ts'

type Locked = { address: string; failedLoginNotBefore: number }

const usage = `Usage: npm run unlock -- --user <user name>
       npm run unlock -- --address <address>
       npm run unlock              (lists locked addresses)`

/**
 * Lets somebody sign in again who is locked out after too many wrong passwords, by the identity server's Admin API, with
 * the key that the portal itself has. For the last administrator, whom nobody can let in by the portal.
 */
export async function unlockFromTerminal(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root: string,
  say: (line: string) => void,
): Promise<number> {
  const { user, address, realm } = askedIn(args)
  const dataDir = dataDirFrom(env, root)
  if (!existsSync(dataDir)) throw new Obstacle(`There is no data folder ${dataDir}. Set QUAYSIDE_DATA_DIR.`)
  const plan = planFrom(env, root)
  const directory = await openRealm(plan, realm ?? plan.realm)
  if (user !== undefined) {
    const query = `/users?exact=true&username=${encodeURIComponent(user)}`
    const [found] = await directory.get<{ id: string }[]>(query)
    if (!found) throw new Obstacle(`There is no user ${user} in the realm ${realm ?? plan.realm}.`)
    await directory.remove(`/attack-detection/brute-force/users/${found.id}`)
    say(`${user} can sign in again.`)
    return 0
  }
  const locked = await addressesIn(directory)
  if (address === undefined) {
    for (const one of locked) say(`${one.address} until ${new Date(one.failedLoginNotBefore * 1000).toISOString()}`)
    if (locked.length === 0) say('No address is locked.')
    return 0
  }
  if (!locked.some((one) => one.address === address)) throw new Obstacle(`${address} is not locked.`)
  await directory.remove(`/attack-detection/brute-force/addresses/${encodeURIComponent(address)}`)
  say(`People can sign in from ${address} again.`)
  return 0
}

function askedIn(args: readonly string[]) {
  try {
    const options = { user: { type: 'string' }, address: { type: 'string' }, realm: { type: 'string' } } as const
    const { values } = parseArgs({ args: [...args], options })
    if (values.user === undefined || values.address === undefined) return values
  } catch {
    // Told below, as two options at once are.
  }
  throw new Obstacle(usage)
}

async function openRealm(plan: Plan, realm: string): Promise<Directory> {
  const { keycloak, identityClient, dataDir } = plan
  if (keycloak) return openDirectory(keycloak.url, realm, { id: keycloak.clientId, secret: keycloak.clientSecret })
  const ports = join(dataDir, 'ports.json')
  // While nothing runs here, another user's program may listen on that port, and would be sent the client's secret.
  if (!isLocked(dataDir) || !existsSync(ports))
    throw new Obstacle(`Nothing is running with the data folder ${dataDir}. Start the portal first.`)
  const { identity } = JSON.parse(readFileSync(ports, 'utf8')) as { identity: number }
  return openDirectory(`http://127.0.0.1:${identity}/auth`, realm, identityClient)
}

/** Keycloak locks no addresses and has no such call. */
async function addressesIn(directory: Directory): Promise<Locked[]> {
  return directory.get<Locked[]>('/attack-detection/brute-force/addresses').catch((error: unknown) => {
    if (error instanceof CallFailed && error.status === 404) return []
    throw error
  })
}
