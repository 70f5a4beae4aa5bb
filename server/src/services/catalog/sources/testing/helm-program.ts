import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findHelm } from '../../../../adapters/helm/binary.ts'

/** A stock Helm, with a folder of its own, that makes packages, indexes and pushes as a publisher of charts does. */
export async function createHelmProgram(binFolder: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-publisher-'))
  const { path: program } = await findHelm({ named: process.env.HELM_BIN, searchPath: [], binFolder })
  const env = { HOME: folder, PATH: '' }
  const run = async (...args: string[]) => (await promisify(execFile)(program, args, { env, cwd: folder })).stdout

  return {
    run,
    /** Packs a chart; returns the path of the package. Helm writes the time into it, so the same one is packed once. */
    async pack(name: string, version: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
      const out = join(folder, 'packages')
      const path = join(out, `${name}-${version}.tgz`)
      if (Object.keys(more).length === 0 && existsSync(path)) return path
      const chart = join(folder, 'charts', `${name}-${version}`, name)
      const files = { ...filesOf(name, version), ...more }
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(dirname(join(chart, file)), { recursive: true })
        writeFileSync(join(chart, file), content)
      }
      await run('package', chart, '--destination', out)
      return path
    },
    /** The index of a repository with these packages below the address. */
    async index(packages: readonly string[], url: string): Promise<string> {
      const at = mkdtempSync(join(folder, 'repository-'))
      for (const one of packages) writeFileSync(join(at, one.split('/').at(-1) ?? ''), readFileSync(one))
      await run('repo', 'index', at, '--url', url)
      return readFileSync(join(at, 'index.yaml'), 'utf8')
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
export type HelmProgram = Awaited<ReturnType<typeof createHelmProgram>>

function filesOf(name: string, version: string): Record<string, string> {
  return {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\ndescription: Settings and nothing else\n`,
    'values.yaml': 'greeting: hello\n',
    'templates/settings.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Release.Name }}" }\ndata: { greeting: "{{ .Values.greeting }}" }\n',
  }
}
