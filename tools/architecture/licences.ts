/** The part of a package-lock.json that says under which licence each package comes. */
export interface Lockfile {
  packages: Record<string, { version?: string; license?: string; link?: boolean; resolved?: string }>
}

/** Licences whose terms this project meets when it uses a package unchanged and ships it with its notices. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Weak copyleft by file: nothing of these packages is changed here.
  'MPL-2.0',
  // Typefaces.
  'OFL-1.1',
  'PSF-2.0',
  'Unlicense',
])

/** Packages that do not name their licence where npm looks for it, by name and version, with where it was found. */
const found: Readonly<Record<string, string>> = {
  // Its package.json has the list `licenses` of old, and its file LICENSE is the text of MIT.
  'xmlhttprequest-ssl@2.1.2': 'MIT',
}

/** Tells whether one of the licences that an SPDX expression offers is allowed. */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/[()]/g, ' ')
    .split(/\sOR\s/)
    .some((offer) => offer.split(/\sAND\s/).every((licence) => allowed.has(licence.trim())))
}

/** One sentence for each package of a lockfile that comes under no licence that is allowed. */
export function licenceProblems({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, { version = '', license, link }]) => {
    const at = path.lastIndexOf('node_modules/')
    if (at < 0 || link) return []
    const name = `${path.slice(at + 'node_modules/'.length)}@${version}`
    const licence = license ?? found[name]
    if (licence && isAllowed(licence)) return []
    const what = licence ? `comes under ${licence}` : 'names no licence'
    return [
      `${name} ${what}: replace it, or add the licence to tools/architecture/licences.ts with the reason why it may be used.`,
    ]
  })
}
