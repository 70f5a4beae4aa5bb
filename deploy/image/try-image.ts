import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createStory, deployDataOf } from '../../embedded/src/story/story.ts'
import { World } from '../../embedded/src/world.ts'
import type { Descriptor, Runtime } from './oci-layout.ts'
import { run } from './run.ts'

const usage = `npm run image:try [-- <layout>]

Runs the image of an OCI layout (dist/image) without a container engine: its layers are unpacked and mounted read-only, and
the portal runs there as the image's user, beside PostgreSQL, an identity server and a cluster of this machine. It has to
become ready and deploy an app. Needs root.`

const startsWithin = 120_000

if (process.argv[2] === '--help') console.log(usage)
else await tryImage(resolve(process.argv[2] ?? 'dist/image'))

async function tryImage(layout: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'))
  chmodSync(folder, 0o755)
  await using world = await World.start({ portal: false })
  const image = await unpack(layout, folder)
  const database = await portOf(new URL(world.databaseUrl).searchParams.get('host') ?? '')
  const started = performance.now()
  const portal = runContainer(folder, image, settingsFor(world, database))
  const ended = once(portal, 'exit')
  try {
    await untilReady(world, portal)
    console.log(`ready after ${((performance.now() - started) / 1000).toFixed(1)} s`)
    console.log(`the pages answer ${(await world.api('/en/')).status}`)
    await deploySomething(world)
  } finally {
    if (portal.exitCode === null) await stop(portal, ended)
    console.log(`ended with ${portal.exitCode}`)
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Puts the layers of this machine's architecture into a folder, and gives how the image says that it runs. */
async function unpack(layout: string, folder: string): Promise<Runtime> {
  const blob = ({ digest }: Descriptor) => join(layout, 'blobs', ...digest.split(':'))
  const read = <T>(descriptor: Descriptor) => JSON.parse(readFileSync(blob(descriptor), 'utf8')) as T
  const [named] = (JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as Index).manifests
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const own = read<Index>(named as Descriptor).manifests.find(({ platform }) => platform?.architecture === architecture)
  const manifest = read<{ config: Descriptor; layers: Descriptor[] }>(own as Descriptor)
  for (const layer of manifest.layers) await run('tar', ['-x', '--zstd', '-p', '-f', blob(layer), '-C', folder])
  for (const each of ['proc', 'dev']) mkdirSync(join(folder, each), { recursive: true })
  return read<{ config: Runtime }>(manifest.config).config
}

type Index = { manifests: Descriptor[] }

/** Runs the image's program in a mount and process namespace of its own, on a root that it cannot write to. */
function runContainer(folder: string, image: Runtime, settings: Record<string, string>): ChildProcess {
  const mounts = [
    'mount --bind "$R" "$R" && mount -o remount,bind,ro "$R"',
    `mount -t tmpfs -o mode=700,uid=${image.User.split(':')[0]} data "$R/data"`,
    'mount -t tmpfs -o mode=1777 tmp "$R/tmp" && mount -t proc proc "$R/proc" && mount --rbind /dev "$R/dev"',
    'exec setpriv --no-new-privs chroot --userspec="$U" "$R" "$@"',
  ]
  const words = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-ec',
    mounts.join('\n'),
    'sh',
    ...image.Entrypoint,
  ]
  const env = Object.fromEntries(
    image.Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )
  return spawn('unshare', words, {
    env: { ...env, ...settings, PATH: `${env.PATH}:/usr/sbin:/bin:/sbin`, R: folder, U: image.User },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Ends the first process of the container, as an engine does; the program that made its namespaces takes no signal. */
async function stop({ pid }: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  process.kill(Number(children.trim()), 'SIGTERM')
  await ended
}

function settingsFor(world: World, database: Server): Record<string, string> {
  const address = new URL(world.databaseUrl)
  address.host = `127.0.0.1:${(database.address() as { port: number }).port}`
  address.search = ''
  return {
    DATABASE_URL: address.href,
    KEYCLOAK_URL: world.identityUrl,
    KEYCLOAK_PUBLIC_URL: world.signInUrl,
    KEYCLOAK_CLIENT_ID: 'quayside-server',
    KEYCLOAK_CLIENT_SECRET: world.identitySecret,
    QUAYSIDE_SECRET_KEY: 'a key of an image that is tried, and of nothing else',
    QUAYSIDE_PORT: new URL(world.url).port,
    QUAYSIDE_URL: world.url,
    QUAYSIDE_ALLOWED_ADDRESSES: new URL(serverIn(readFileSync(world.kubeconfig, 'utf8'))).host,
    LOG_LEVEL: 'warn',
  }
}

function serverIn(kubeconfig: string): string {
  return /server: (\S+)/.exec(kubeconfig)?.[1] ?? ''
}

/** A port that leads to the socket of PostgreSQL, which nobody but its owner reaches. */
async function portOf(folder: string): Promise<Server> {
  const server = createServer((client) => {
    const socket = createConnection(join(folder, '.s.PGSQL.5432'))
    client.pipe(socket).pipe(client)
    for (const each of [client, socket]) each.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function untilReady(world: World, portal: ChildProcess): Promise<void> {
  for (const until = performance.now() + startsWithin; performance.now() < until; await delay(50)) {
    if (portal.exitCode !== null) throw new Error(`the portal ended with ${portal.exitCode}`)
    const answer = await world.api('/readyz').catch(() => undefined)
    const { missing } = answer?.ok ? ((await answer.json()) as { missing: string[] }) : { missing: ['portal'] }
    if (missing.length === 0) return
  }
  throw new Error('the portal is not ready')
}

async function deploySomething(world: World): Promise<void> {
  const story = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  const space = await story.space('Image', readFileSync(world.kubeconfig, 'utf8'))
  const chart = await story.uploadSmall('small', '1.0.0')
  const app = await story.assign(space, chart)
  const releaseName = await story.releaseName(app, 'small')
  const deployData = deployDataOf(app, space, chart, 'replicas: 2\nimage: nginx:1.27\n')
  const command = { appId: app.id, versionId: chart.version.id, deployData, releaseName }
  const { status, body } = await story.post<{ actionId: string }>('Deploy', command)
  if (status !== 202) throw new Error(`the deployment was answered ${status}: ${JSON.stringify(body)}`)
  const { state } = await story.ended(body.actionId)
  console.log(`a deployment ended as ${state}`)
  if (state !== 'Success') process.exitCode = 1
}
