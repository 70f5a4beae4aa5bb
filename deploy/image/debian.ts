import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { entriesOf } from './archives.ts'
import type { Entry } from './layer.ts'
import { run } from './run.ts'

export type Architecture = 'amd64' | 'arm64'

/** A package of Debian that the image takes files from; the sums are those of its archive. */
export interface DebianPackage {
  name: string
  version: string
  sha256: Record<Architecture, string>
}

/** Files of each package that Node and Helm need; the licence of each comes along. */
const wanted: Readonly<Record<string, RegExp>> = {
  'base-files': /^usr\/lib\/os-release$|^etc\/(debian_version|os-release)$/,
  'ca-certificates': /^usr\/share\/ca-certificates\/mozilla\/.*\.crt$/,
  libc6: /^lib(64)?\/(.*\/)?(ld-linux-.*|lib(c|m|dl|pthread|rt|resolv|util|nss_dns|nss_files))\.so\.\d+$/,
  'libgcc-s1': /\/libgcc_s\.so\.1$/,
  'gcc-12-base': /^usr\/share\/doc\/gcc-12-base\/copyright$/,
  'libstdc++6': /\/libstdc\+\+\.so\.6(\.[\d.]+)?$/,
  tini: /^usr\/bin\/tini-static$/,
}
const copyright = /^usr\/share\/doc\/[^/]+(\/copyright)?$/

const lockFile = join(import.meta.dirname, 'debian-packages.json')

export const lockedPackages = (): DebianPackage[] => JSON.parse(readFileSync(lockFile, 'utf8'))

/** An apt of its own for both architectures, that leaves the machine's alone; it checks the signatures of Debian. */
class Apt {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    for (const each of ['state/lists/partial', 'cache/archives/partial', 'archives'])
      mkdirSync(join(folder, each), { recursive: true })
    const mirror = process.env.DEBIAN_MIRROR || 'http://deb.debian.org/debian'
    const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
    writeFileSync(join(folder, 'sources.list'), `deb ${signed} ${mirror} bookworm main\n`)
  }

  update = () => this.#run('apt-get', ['update'])

  async newest(name: string, architecture: Architecture) {
    const shown = await this.#run('apt-cache', ['--no-all-versions', 'show', `${name}:${architecture}`])
    const field = (label: string) => new RegExp(`^${label}: (.*)$`, 'm').exec(shown.toString())?.[1] ?? ''
    return { version: field('Version'), sha256: field('SHA256'), isForAll: field('Architecture') === 'all' }
  }

  /** The archive of a package, downloaded once; refused when its sum is not the locked one. */
  async archive({ name, version, sha256 }: DebianPackage, architecture: Architecture): Promise<string> {
    const file = join(this.#folder, 'archives', sha256[architecture])
    if (existsSync(file)) return file
    const draft = mkdtempSync(join(this.#folder, 'download-'))
    // Apt knows packages that fit every architecture as those of its own.
    const own = sha256.amd64 === sha256.arm64 ? 'amd64' : architecture
    await this.#run('apt-get', ['download', `${name}:${own}=${version}`], draft)
    const path = join(draft, readdirSync(draft)[0] ?? '')
    if (createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256[architecture])
      throw new Error(`${name} ${version} for ${architecture} is not the archive that debian-packages.json names.`)
    renameSync(path, file)
    rmSync(draft, { recursive: true })
    return file
  }

  #run(program: string, args: string[], cwd = this.#folder) {
    const set = {
      ...{ 'Dir::State': 'state', 'Dir::Cache': 'cache', 'Dir::Etc::sourcelist': 'sources.list' },
      ...{ 'Dir::Etc::sourceparts': '-', 'APT::Architecture': 'amd64', 'APT::Architectures': 'amd64,arm64' },
      ...{ 'APT::Sandbox::User': 'root', 'Acquire::Languages': 'none' },
    }
    const options = Object.entries(set).flatMap(([name, value]) => {
      const isPath = name.startsWith('Dir::') && value !== '-'
      return ['-o', `${name}=${isPath ? join(this.#folder, value) : value}`]
    })
    return run(program, ['-q', ...options, ...args], { cwd })
  }
}

/** Writes the newest versions of the packages into the lock file, which is then to be committed. */
export async function renewLock(cache: string): Promise<void> {
  const apt = new Apt(cache)
  await apt.update()
  const packages: DebianPackage[] = []
  for (const name of Object.keys(wanted)) {
    const amd64 = await apt.newest(name, 'amd64')
    const arm64 = amd64.isForAll ? amd64 : await apt.newest(name, 'arm64')
    if (amd64.version !== arm64.version) throw new Error(`${name} is not there in one version for both architectures.`)
    packages.push({ name, version: amd64.version, sha256: { amd64: amd64.sha256, arm64: arm64.sha256 } })
  }
  writeFileSync(lockFile, `${JSON.stringify(packages, null, 2)}\n`)
}

/** The libraries that Node and Helm need, certificates, and what scanners read to know the packages. */
export async function debianFiles(architecture: Architecture, cache: string): Promise<Entry[]> {
  const apt = new Apt(cache)
  const packages = lockedPackages()
  if (packages.some(({ sha256 }) => !existsSync(join(cache, 'archives', sha256[architecture])))) await apt.update()
  const entries: Entry[] = []
  for (const each of packages) entries.push(...(await filesOf(each, await apt.archive(each, architecture))))
  const certificates = entries.filter(({ path }) => path.endsWith('.crt'))
  const bundle = certificates.sort((a, b) => (a.path < b.path ? -1 : 1)).flatMap((each) => contentOf(each))
  return [
    ...entries.filter(({ path }) => !path.endsWith('.crt')),
    { path: 'etc/ssl/certs/ca-certificates.crt', content: Buffer.concat(bundle) },
  ]
}

const contentOf = (entry: Entry) => ('content' in entry ? [entry.content] : [])

async function filesOf({ name }: DebianPackage, archive: string): Promise<Entry[]> {
  const tar = Readable.from([await run('dpkg-deb', ['--fsys-tarfile', archive])])
  const files = await entriesOf(tar, (path) => copyright.test(path) || wanted[name]?.test(path) === true)
  const status = Buffer.concat([
    await run('dpkg-deb', ['--field', archive]),
    Buffer.from('Status: install ok installed\n'),
  ])
  return [...files, { path: `var/lib/dpkg/status.d/${name}`, content: status }]
}
