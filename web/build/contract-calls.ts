import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '@quayside/contract/http/endpoint'
import { type Plugin, parseAst, runnerImport } from 'vite'

const contract = fileURLToPath(new URL('../../contract/src/', import.meta.url))
/** `\0calls:file:table` is a table of endpoints, `\0calls:file:table:key` one of them. */
const table = /^\0calls:([^:]+):(\w+)(?::(\w+))?$/
const ours = /^@quayside\/contract\/([^?]+)$/

/** The exports of a contract module, reduced to the parts that the browser gets. */
interface Light {
  /** Plain constants as source text, by name. */
  constants: Map<string, string>
  /** Tables of endpoints: by name, the source text of each endpoint by its key. */
  tables: Map<string, Map<string, string>>
  /** Names that exist on the server alone, each with the reason. */
  absent: Map<string, string>
}

/**
 * Gives the browser a light form of each module of the contract that exports schemas or endpoints: an endpoint is where a
 * call goes ({ service, method, path, accepts, streams }), a plain constant is its value, and schemas stay on the server,
 * so that neither they nor zod are part of any page. Modules without schemas are taken as they are. The compiler sees
 * the real modules: types of calls come from the schemas.
 */
export function contractCalls(): Plugin {
  let evaluated: Promise<Map<string, Light>> | undefined
  const lights = () => {
    evaluated ??= evaluate()
    return evaluated
  }
  return {
    name: 'quayside-contract-calls',
    resolveId: {
      order: 'pre',
      filter: { id: [/^zod(\/|$)/, table] },
      handler(id, importer = '') {
        if (table.test(id)) return id
        const from = relative(join(contract, '../..'), importer)
        if (from.includes('node_modules')) return
        this.error(`${from} imports ${id}: schemas are checked on the server, the browser only takes their types.`)
      },
    },
    load: {
      filter: { id: [/\/contract\/src\/.+\.ts$/, table] },
      async handler(id) {
        const [, file = id, name, key] = table.exec(id) ?? []
        const light = (await lights()).get(file)
        if (name === undefined) return light && codeOf(file, light)
        const calls = light?.tables.get(name) ?? new Map<string, string>()
        const code =
          key === undefined
            ? tableCode(calls, this.environment.mode === 'build' ? id : undefined)
            : `export const call = ${calls.get(key)}`
        return { code, moduleSideEffects: false }
      },
    },
    transform: {
      filter: { code: /@quayside\/contract\// },
      async handler(code) {
        for (const { module, name } of namesTaken(code)) {
          const why = (await lights()).get(join(contract, `${module}.ts`))?.absent.get(name)
          if (why !== undefined) this.error(`${name} of @quayside/contract/${module} ${why}`)
        }
      },
    },
    hotUpdate({ file, server, modules }) {
      if (!file.startsWith(contract)) return modules
      evaluated = undefined
      server.moduleGraph.invalidateAll()
      this.environment.hot.send({ type: 'full-reload' })
      return []
    },
  }
}

/** Each endpoint is a module of its own: what is loaded carries the calls that it makes and no others. */
function codeOf(file: string, { constants, tables }: Light): string {
  const lines = [
    ...[...constants].map(([name, value]) => `export const ${name} = ${value}`),
    ...[...tables.keys()].map((name) => `export * as ${name} from ${JSON.stringify(`\0calls:${file}:${name}`)}`),
  ]
  return lines.join('\n')
}

/** Names the module of each endpoint; without an `id` the endpoints stand in the table, which is fewer requests. */
function tableCode(calls: ReadonlyMap<string, string>, id: string | undefined): string {
  const lines = [...calls].map(([key, value], at) =>
    id === undefined
      ? `const call${at} = ${value}; export { call${at} as ${key} }`
      : `export { call as ${key} } from ${JSON.stringify(`${id}:${key}`)}`,
  )
  return lines.join('\n')
}

/** Runs every module of the contract once; those that hold schemas or endpoints are answered by their paths. */
async function evaluate(): Promise<Map<string, Light>> {
  const files = (await readdir(contract, { recursive: true }))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(contract, file))
  const all = '\0every-module-of-the-contract'
  const { module } = await runnerImport<{ modules: Record<string, object>[] }>(all, {
    root: contract,
    logLevel: 'silent',
    plugins: [
      {
        name: 'quayside-every-contract-module',
        resolveId: (id) => (id === all ? id : undefined),
        load: (id) =>
          id === all
            ? `${files.map((file, index) => `import * as m${index} from ${JSON.stringify(file)}`).join('\n')}
               export const modules = [${files.map((_, index) => `m${index}`).join(', ')}]`
            : undefined,
      },
    ],
  })
  const lights = files.map((file, index) => [file, lightOf(module.modules[index] ?? {})] as const)
  return new Map(lights.filter((entry): entry is [string, Light] => entry[1] !== undefined))
}

/** The light form of a module, or undefined when it holds neither schemas nor endpoints. */
function lightOf(module: object): Light | undefined {
  const named = Object.entries(module)
  if (!named.some(([, value]) => isSchema(value) || isTable(value))) return undefined
  const light: Light = { constants: new Map(), tables: new Map(), absent: new Map() }
  for (const [name, value] of named) {
    if (isTable(value)) light.tables.set(name, callsOf(value))
    else if (isSchema(value)) light.absent.set(name, 'is a schema, and schemas stay on the server: import its type.')
    else if (isPlain(value)) light.constants.set(name, JSON.stringify(value))
    else light.absent.set(name, 'stands beside schemas, which stay on the server: move it to a module without any.')
  }
  return light
}

/** Leaves of each endpoint what says where a call goes. */
function callsOf(endpoints: Record<string, Endpoint>): Map<string, string> {
  const calls = Object.entries(endpoints).map(([key, { service, method, path, accepts, streams }]) => {
    return [key, JSON.stringify({ service, method, path, accepts, streams })] as const
  })
  return new Map(calls)
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_zod' in value
}

function isEndpoint(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'service' in value && 'path' in value && 'reply' in value
}

function isTable(value: unknown): value is Record<string, Endpoint> {
  if (typeof value !== 'object' || value === null) return false
  const rows = Object.values(value)
  return rows.length > 0 && rows.every(isEndpoint)
}

function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (typeof value !== 'object') return false
  const isBare = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isBare && !isSchema(value) && Object.values(value).every(isPlain)
}

/** The names that a module imports from the contract as values; type imports have been removed by now. */
function namesTaken(code: string): { module: string; name: string }[] {
  return parseAst(code).body.flatMap((node) => {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') return []
    const [, module] = ours.exec(String(node.source?.value ?? '')) ?? []
    if (module === undefined) return []
    const names = node.specifiers.flatMap((one) => {
      if (one.type === 'ImportSpecifier') return 'name' in one.imported ? one.imported.name : []
      return one.type === 'ExportSpecifier' && 'name' in one.local ? one.local.name : []
    })
    return names.map((name) => ({ module, name }))
  })
}
