import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chartPackage } from '@quayside/embedded/story/small-chart'
import { findHelm } from '../../../adapters/helm/binary.ts'

/** A real Helm of somebody who does not know the portal: the same cluster, the same releases, no ledger. */
export async function createForeignHelm(world: { kubeconfig: string; dataDir: string }, namespace: string) {
  // Its files are not the portal's, and their names do not say so.
  const folder = mkdtempSync(join(tmpdir(), 'outsider-'))
  const binFolder = join(world.dataDir, 'portal', 'bin')
  const { path } = await findHelm({ named: process.env.HELM_BIN, searchPath: [], binFolder })
  const chart = join(folder, 'tiny.tgz')
  writeFileSync(chart, await chartPackage('tiny', '1.0.0'))
  const running = new Set<ChildProcess>()

  /** Begins and is left alone; `done` tells its exit code and what it said. */
  function start(...args: string[]) {
    const env = { HOME: folder, PATH: process.env.PATH ?? '', KUBECONFIG: world.kubeconfig }
    const child = spawn(path, ['--namespace', namespace, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    const done = new Promise<{ code: number | null; said: string }>((resolve) =>
      child.on('close', (code) => {
        running.delete(child)
        resolve({ code, said })
      }),
    )
    return {
      done,
      async kill() {
        child.kill('SIGKILL')
        await done
      },
    }
  }

  return {
    start,
    upgrade: (releaseName: string, image: string) =>
      start('upgrade', releaseName, chart, '--set', `image=${image}`, '--wait', '--timeout', '10m'),
    uninstall: (releaseName: string) => start('uninstall', releaseName, '--wait', '--timeout', '10m'),
    close() {
      for (const child of running) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
