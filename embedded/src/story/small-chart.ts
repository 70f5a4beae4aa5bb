import { packFiles } from '../seed/chart-package.ts'

/** A small chart package: a web server with its service, settings and a code that nobody should read again. */
export function chartPackage(
  name: string,
  version: string,
  more: Record<string, string> = {},
): Promise<Buffer<ArrayBuffer>> {
  return packFiles(name, { ...filesOf(name, version), ...more })
}

/** The Deployment of such a chart, with something more to say of its container. */
export const deploymentTemplate = (container: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec:
      containers:
        - name: web
          image: {{ .Values.image | quote }}
          ${container}
`

function filesOf(name: string, version: string): Record<string, string> {
  return {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "1.0"\ndescription: A small web server\n`,
    'values.yaml': '# How many run at once\nreplicas: 1\nimage: nginx:1.27\n# @MASKED\ncode: ""\nextra: {}\n',
    'values.schema.json': JSON.stringify({
      type: 'object',
      properties: { replicas: { type: 'integer', minimum: 1, maximum: 5 }, image: { type: 'string', minLength: 1 } },
    }),
    'templates/deployment.yaml': deploymentTemplate('ports: [{ containerPort: 80 }]'),
    'templates/service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { app: {{ .Release.Name }} }
  ports: [{ port: 80 }]
`,
    'templates/secret.yaml': `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}
  {{- with .Values.extra.namespace }}
  namespace: {{ . }}
  {{- end }}
stringData:
  code: {{ .Values.code | quote }}
`,
    'templates/NOTES.txt': 'The code is {{ .Values.code }}\n',
  }
}
