import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStory } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, type Stage } from '../fault-matrix/stage.ts'
import { allRaces, spreadOfRaces } from './cases.ts'
import { runRace, type User } from './run-race.ts'

/** `RACES=all` runs every race, `RACES="Deploy Delete"` those whose name matches it; else a spread of 32. */
const asked = process.env.RACES
const races = (asked === undefined ? spreadOfRaces() : allRaces)
  .map((race) => ({ race, name: `${race.first} ${race.second} after ${race.afterMs} ms` }))
  .filter(({ name }) => asked === undefined || asked === 'all' || new RegExp(asked).test(name))

const folder = mkdtempSync(join(tmpdir(), 'quayside-races-'))
const tokenLastsMs = 120_000
let world: World
let stage: Stage
let users: { pair: Promise<[User, User]>; at: number } | undefined

beforeAll(async () => {
  const armed = join(folder, 'armed')
  writeFileSync(armed, '')
  world = await World.start({ cluster: { speed: 20 }, env: { LOG_LEVEL: 'warn' } })
  stage = await createStage(world, armed)
}, 300_000)
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function user(): Promise<User> {
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return { name: claims.preferred_username, story: createStory(world, token) }
}

/** Two accounts, other ones before their tokens end. */
function twoUsers(): Promise<[User, User]> {
  if (!users || performance.now() - users.at > tokenLastsMs)
    users = { pair: Promise.all([user(), user()]), at: performance.now() }
  return users.pair
}

test.concurrent.each(races)('$name', { timeout: 300_000 }, async ({ race, name }) => {
  const { broken, answers } = await runRace(stage, await twoUsers(), race)
  if (asked !== undefined) console.log(`${name}: ${answers.join(' | ')} ${broken.join('; ')}`)
  expect(broken).toEqual([])
})
