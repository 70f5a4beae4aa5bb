import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployedApp } from '../deployed-app.ts'

let world: World
let before: Set<string>
let clusterId: string

beforeAll(async () => {
  before = new Set(readdirSync(tmpdir()))
  world = await World.start({ cluster: { speed: 20 }, seed: true, postgres: 'own' })
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  clusterId = (await deployedApp(world, token)).clusterId
})
afterAll(() => world?.close())

/** Helm sets the modes of these files itself, and looks after them in folders that are closed. */
const closedByItsFolder = /\/helm-discovery\//

/** Files and folders below a path that somebody else on the machine could read, write or look into. */
function open(path: string): string[] {
  const about = lstatSync(path, { throwIfNoEntry: false })
  if (!about || about.isSymbolicLink()) return []
  const isClosed = (about.mode & 0o077) === 0 || (about.isFile() && closedByItsFolder.test(path))
  const own = isClosed ? [] : [`${(about.mode & 0o777).toString(8)} ${path}`]
  return about.isDirectory() ? [...own, ...readdirSync(path).flatMap((name) => open(join(path, name)))] : own
}

test('nothing in the data folder is for others, whatever wrote it', () => {
  expect(existsSync(join(world.dataDir, 'portal/helm-discovery', clusterId))).toBe(true)
  expect(open(world.dataDir)).toEqual([])
})

test('nothing of the portal in the folder for temporary files is for others', () => {
  const own = readdirSync(tmpdir()).filter((name) => !before.has(name) && /quayside|helm|cluster/.test(name))
  expect(own.flatMap((name) => open(join(tmpdir(), name)))).toEqual([])
})
