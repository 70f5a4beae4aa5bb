import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const MODULE = 'github.com/prometheus/prometheus'

/** The folder of Prometheus' own test scripts, out of its Go module, which Go downloads when it is not there yet. */
export function scriptFolder(release: string): string {
  const { error, status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', `${MODULE}@${release}`], {
    encoding: 'utf8',
  })
  if (error || status !== 0) {
    throw new Error(
      `The scripts of promqltest cannot be had: they come with the Go module ${MODULE}@${release}, which needs Go and a module proxy. ${error?.message ?? stderr}`,
    )
  }
  const { Dir } = JSON.parse(stdout) as { Dir: string }
  return join(Dir, 'promql/promqltest/testdata')
}
