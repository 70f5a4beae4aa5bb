/** The part of a package-lock.json that names packages and what each of them needs. */
export interface Lockfile {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** An npm package that the image has, with where it is installed. */
export interface ProductionPackage {
  path: string
  name: string
  version: string
  licence: string | undefined
  integrity: string | undefined
}

/** Packages that a workspace needs to run, and theirs, without those whose names are left out. */
export function productionPackages(
  lock: Lockfile,
  workspace: string,
  isLeftOut: (name: string) => boolean,
): ProductionPackage[] {
  const { dependencies, optionalDependencies } = lock.packages[workspace] ?? {}
  return closure(lock, workspace, Object.keys({ ...dependencies, ...optionalDependencies }), isLeftOut)
}

/** Packages that are part of the built pages: what the workspace declares for development and is not a tool. */
export function bundledPackages(lock: Lockfile, workspace: string, isTool: (name: string) => boolean) {
  const declared = Object.keys(lock.packages[workspace]?.devDependencies ?? {})
  return closure(lock, workspace, declared, isTool)
}

function closure(lock: Lockfile, from: string, names: readonly string[], isLeftOut: (name: string) => boolean) {
  const found = new Map<string, ProductionPackage>()
  const visited = new Set<string>()
  const visit = (at: string, wanted: readonly string[]): void => {
    for (const name of wanted.filter((each) => !isLeftOut(each))) {
      const path = resolvePackage(lock, at, name)
      const entry = path === undefined ? undefined : lock.packages[path]
      if (path === undefined || entry === undefined || visited.has(path)) continue
      visited.add(path)
      const own = entry.link && entry.resolved ? entry.resolved : path
      const { version = '', license, integrity } = entry
      if (!entry.link) found.set(path, { path, name, version, licence: license, integrity })
      const { dependencies, optionalDependencies } = lock.packages[own] ?? {}
      visit(own, Object.keys({ ...dependencies, ...optionalDependencies }))
    }
  }
  visit(from, names)
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The path of a package as Node resolves it: in the nearest node_modules above; undefined where it is not installed. */
function resolvePackage({ packages }: Lockfile, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
  }
}
