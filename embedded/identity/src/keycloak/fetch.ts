import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const RELEASE = '26.7.2'

const CACHE = resolve(import.meta.dirname, '../../../../node_modules/.cache/keycloak')

/** A program that is missing for a real Keycloak; undefined when there is all that it takes. */
export function missingProgram(): string | undefined {
  return ['java', 'mvn', 'tar'].find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error)
}

/**
 * The folder of a real Keycloak, fetched by Maven unless an earlier run did.
 * @throws Error with the output of the program that failed
 */
export function fetchKeycloak(tell: (line: string) => void): string {
  const finished = join(CACHE, RELEASE)
  if (existsSync(finished)) return finished
  tell(`Fetching Keycloak ${RELEASE}, some 170 MB, once`)
  const draft = join(CACHE, `draft.${process.pid}`)
  mkdirSync(draft, { recursive: true })
  try {
    const name = 'keycloak-quarkus-dist'
    const what = `org.keycloak:${name}:${RELEASE}:tar.gz`
    run('mvn', ['-q', 'dependency:copy', `-Dartifact=${what}`, `-DoutputDirectory=${draft}`], draft)
    run('tar', ['xzf', `${name}-${RELEASE}.tar.gz`], draft)
    renameSync(join(draft, `keycloak-${RELEASE}`), finished)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return finished
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`)
}
