import semver from 'semver'
import { z } from 'zod'
import { Failure } from '../../../platform/http/errors.ts'
import { readYaml } from '../../../platform/http/guarded-yaml.ts'
import { sentenceOf } from '../../../platform/http/plain-issues.ts'
import { intakeLimits } from './limits.ts'
import { refuse } from './refuse.ts'

const text = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .nullish()
  .transform((value) => value?.replaceAll('\0', '').toWellFormed().trim() || undefined)
const texts = z
  .array(text)
  .nullish()
  .transform((list) => (list ?? []).filter((one) => one !== undefined))

const Dependency = z.object({ name: text, version: text, repository: text, alias: text })

/** The fields of a Chart.yaml that the portal reads. */
export const ChartYaml = z.object({
  apiVersion: text,
  name: text,
  version: text,
  appVersion: text,
  kubeVersion: text,
  description: text,
  type: text,
  keywords: texts,
  home: text,
  sources: texts,
  icon: text,
  deprecated: z
    .boolean()
    .nullish()
    .transform((value) => value === true),
  maintainers: z
    .array(z.object({ name: text, email: text, url: text }))
    .nullish()
    .transform((list) => list ?? []),
  annotations: z
    .record(z.string(), text)
    .nullish()
    .transform((record) =>
      Object.fromEntries(Object.entries(record ?? {}).filter(([key]) => /^[\x20-\x7e]+$/.test(key))),
    ),
  dependencies: z
    .array(Dependency)
    .nullish()
    .transform((list) => list ?? []),
})
export type ChartYaml = z.infer<typeof ChartYaml> & { name: string; version: string; apiVersion: string }

/** YAML of a package, its troubles told with the file's name. */
export function readPackageYaml(bytes: Buffer, file: string): unknown {
  try {
    return readYaml(bytes.toString('utf8'), { maxBytes: intakeLimits.yamlBytes })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw refuse(error.message, file, error.details)
  }
}

/** Reads a Chart.yaml and checks what Helm would check, and what its name and version are used for here. */
export function readChartYaml(bytes: Buffer, file: string): ChartYaml {
  const parsed = ChartYaml.safeParse(readPackageYaml(bytes, file))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw refuse(sentenceOf(issue?.path.join('.') || 'The document', issue?.message ?? 'is not valid'), file)
  }
  const { apiVersion, name, version } = parsed.data
  if (!apiVersion) throw refuse('apiVersion is missing.', file)
  if (apiVersion !== 'v1' && apiVersion !== 'v2')
    throw refuse(`apiVersion is ${apiVersion}, but must be v1 or v2.`, file)
  if (!name) throw refuse('name is missing.', file)
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) {
    throw refuse(
      'name must be up to 100 letters, digits, dots, dashes and underscores, and begin with a letter or digit.',
      file,
    )
  }
  if (!version) throw refuse('version is missing.', file)
  if (version.length > 100 || !precedence(version))
    throw refuse(`version ${version} is not a semantic version such as 1.2.3.`, file)
  const kind = parsed.data.type ?? 'application'
  if (kind !== 'application' && kind !== 'library')
    throw refuse(`type is ${kind}, but must be application or library.`, file)
  return { ...parsed.data, apiVersion, name, version }
}

/** A version as something to compare, read as leniently as Helm does: `v1.2.3` and `1.2` count too. */
export function precedence(version: string): semver.SemVer | null {
  const [, core = '', rest = ''] = /^v?(\d+(?:\.\d+){0,2})([-+].*)?$/.exec(version) ?? []
  if (core === '') return null
  const full = core.split('.').map((part) => String(Number(part)))
  while (full.length < 3) full.push('0')
  return semver.parse(full.join('.') + rest)
}
