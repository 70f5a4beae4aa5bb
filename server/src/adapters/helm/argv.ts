import type { RenderInput, RollbackInput, TargetInput, UninstallInput, WriteInput } from './helm.ts'

/** Where this run's files are; the only paths that an argv names beside the chart's. */
export interface RunFiles {
  values: string
}

export class HelmInputError extends Error {
  override name = 'HelmInputError'
}

const releaseName = /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const chartFile = /^\/[^\0\n]+\.tgz$/
const kubeVersion = /^v?[0-9]+(\.[0-9]+){1,2}([-+][A-Za-z0-9.+-]{1,60})?$/
const apiVersion = /^[a-zA-Z0-9][a-zA-Z0-9./-]{0,252}$/
const label = /^[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/
const historyMax = '10'
/** Under which Helm finds the program that is shown what it has rendered: run-directory.ts. */
export const postRenderer = 'quayside'

export function templateArgv(input: RenderInput, files: RunFiles): string[] {
  return [
    'template',
    '--dry-run=client',
    '--skip-schema-validation',
    ...(input.includeCrds ? ['--include-crds'] : []),
    ...(input.isUpgrade ? ['--is-upgrade'] : []),
    ...versionsOf(input),
    ...(input.apiVersions ?? []).flatMap((version) => [
      '--api-versions',
      checked(version, apiVersion, 'the API version'),
    ]),
    ...common(input),
    ...named(input, files),
  ]
}

export function lintArgv(input: RenderInput, files: RunFiles): string[] {
  return [
    'lint',
    '--skip-schema-validation',
    ...versionsOf(input),
    ...common(input),
    '--values',
    files.values,
    '--',
    checked(input.chartFile, chartFile, 'the chart file'),
  ]
}

export function installArgv(input: WriteInput, files: RunFiles): string[] {
  const flags = input.replace ? ['--replace'] : []
  // The portal has applied the package's definitions itself; Helm would also overwrite definitions that others own.
  return [
    'install',
    '--skip-crds',
    ...flags,
    ...writing(input),
    ...waiting(input),
    ...common(input),
    ...named(input, files),
  ]
}

export function upgradeArgv(input: WriteInput, files: RunFiles): string[] {
  // The values given are the whole truth: nothing is carried over from the revision before, and what somebody changed
  // by hand is set again, as it would be without server-side apply.
  const flags = ['--reset-values', '--force-conflicts', '--history-max', historyMax]
  return ['upgrade', ...flags, ...writing(input), ...waiting(input), ...common(input), ...named(input, files)]
}

export function rollbackArgv(input: RollbackInput): string[] {
  if (!Number.isInteger(input.revision) || input.revision < 1 || input.revision > 1_000_000)
    throw new HelmInputError('the revision is not a number from 1 to 1000000')
  const flags = ['--force-conflicts', '--history-max', historyMax]
  return ['rollback', ...flags, ...waiting(input), ...common(input), '--', nameOf(input), String(input.revision)]
}

export function uninstallArgv(input: UninstallInput): string[] {
  const flags = input.withoutHooks ? ['--no-hooks'] : []
  return ['uninstall', ...flags, ...waiting(input), ...common(input), '--', nameOf(input)]
}

function writing(input: WriteInput): string[] {
  const labels = Object.entries(input.labels).map(
    ([key, value]) => `${checked(key, label, 'the label')}=${checked(value, label, 'the label value')}`,
  )
  return [
    '--skip-schema-validation',
    ...(input.comparing ? ['--post-renderer', postRenderer] : []),
    ...(labels.length > 0 ? ['--labels', labels.join(',')] : []),
  ]
}

function waiting(input: TargetInput): string[] {
  if (!Number.isInteger(input.timeoutSeconds) || input.timeoutSeconds < 1 || input.timeoutSeconds > 86_400)
    throw new HelmInputError('the timeout is not a number of seconds up to a day')
  return ['--wait=watcher', '--timeout', `${input.timeoutSeconds}s`]
}

function common(input: { namespace: string }): string[] {
  return ['--color=never', '--namespace', checked(input.namespace, namespaceName, 'the namespace')]
}

function named(input: RenderInput | WriteInput, files: RunFiles): string[] {
  return ['--values', files.values, '--', nameOf(input), checked(input.chartFile, chartFile, 'the chart file')]
}

function versionsOf(input: RenderInput): string[] {
  return input.kubeVersion ? ['--kube-version', checked(input.kubeVersion, kubeVersion, 'the Kubernetes version')] : []
}

function nameOf(input: { releaseName: string }): string {
  return checked(input.releaseName, releaseName, 'the release name')
}

function checked(text: string, pattern: RegExp, what: string): string {
  if (!pattern.test(text)) throw new HelmInputError(`${what} is not valid: ${JSON.stringify(text.slice(0, 80))}`)
  return text
}
