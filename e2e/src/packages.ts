import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

type Chart = {
  name: string
  version: string
  readme?: string
  values?: string
  chart?: Record<string, unknown>
  /** More files by their path inside of the chart. */
  files?: Record<string, string>
}

/** A small chart that installs one ConfigMap, packed as `helm package` does. */
export function chartPackage({
  name,
  version,
  readme,
  values = 'title: Hello\n',
  chart = {},
  files = {},
}: Chart): Promise<Buffer> {
  const described = { apiVersion: 'v2', name, version, description: `The ${name} chart`, ...chart }
  const template = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  title: {{ .Values.title | quote }}\n`
  return packed({
    // JSON is YAML too.
    [`${name}/Chart.yaml`]: JSON.stringify(described),
    [`${name}/values.yaml`]: values,
    [`${name}/templates/config-map.yaml`]: template,
    ...(readme === undefined ? {} : { [`${name}/README.md`]: readme }),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text])),
  })
}

/** A chart with one more file, at a path that no chart may have. */
export function brokenPackage(path: string): Promise<Buffer> {
  return packed({
    'broken/Chart.yaml': JSON.stringify({ apiVersion: 'v2', name: 'broken', version: '0.1.0' }),
    [`broken/${path}`]: 'out of here',
  })
}

function packed(files: Record<string, string>): Promise<Buffer> {
  const archive = pack()
  const bytes = buffer(archive.pipe(createGzip()))
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content)
  archive.finalize()
  return bytes
}
