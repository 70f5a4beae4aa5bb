/** A chart that says its secrets wherever a chart can say anything. */
export const chattyFiles = {
  'values.yaml': `# @MASKED
code: ""
admin:
  password: ""
# @MASKED
key: ""
says: ""
image: nginx:1.27
extra: {}
replicas: 1
hooks: false
`,
  'values.schema.json': JSON.stringify({
    properties: { replicas: { type: 'integer' }, code: { type: 'string', maxLength: 60 } },
  }),
  'templates/talk.yaml': `{{- $all := printf "%s %s %s" .Values.code .Values.admin.password .Values.key }}
{{- if eq .Values.says "fail" }}{{ fail (printf "no good: %s %q %s %s" $all .Values.code ($all | b64enc) (.Values.code | urlquery)) }}{{ end }}
{{- if eq .Values.says "number" }}{{ int64 (index .Values.code 900) }}{{ end }}
{{- if eq .Values.says "yaml" }}
{{ .Values.code }}: [{{ .Values.key }}
{{- end }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-talk
  {{- if eq .Values.says "refused" }}
  labels: { code: {{ .Values.code | quote }} }
  annotations: { password: {{ .Values.admin.password | quote }} }
  {{- end }}
data:
  basic: {{ printf "me:%s" .Values.admin.password | b64enc }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}-ports
spec:
  {{- if eq .Values.says "mistyped" }}
  ports: [{ port: {{ .Values.admin.password | quote }} }]
  {{- else }}
  ports: [{ port: 80 }]
  {{- end }}
`,
  // Values that the chart makes up by itself are in Secrets of three shapes, and in everything that it prints.
  'templates/made-up.yaml': `{{- $made := dict "plain" (randAlphaNum 16) "sign" (printf "%s<&>%c%s" (randAlpha 9) 34 (randNumeric 4)) "pin" (randAlphaNum 7) }}
{{- $_ := set .Values "made" $made }}
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: Secret
    metadata: { name: {{ .Release.Name }}-made }
    data: { password: {{ $made.plain | b64enc }} }
  - apiVersion: v1
    kind: Secret
    metadata: { name: {{ .Release.Name }}-sign }
    stringData: { sign: {{ $made.sign | quote }} }
{{- if .Values.hooks }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-hook
  annotations: { helm.sh/hook: pre-install, helm.sh/hook-weight: "-1" }
stringData: { pin: {{ $made.pin | quote }} }
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: post-install
    helm.sh/hook-output-log-policy: hook-succeeded,hook-failed
    {{- if eq .Values.says "failing hook" }}
    sandbox.quayside.io/fault: failing-job
    {{- end }}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: talk
          image: "registry.example/talk:1"
          command: [sh, -c, {{ printf "echo %s %s %s" $made.plain $made.sign $made.pin | quote }}]
{{- end }}
`,
  'templates/NOTES.txt': `{{ with .Values.made }}{{ .plain }} {{ .sign }} {{ .pin }} {{ .plain | b64enc }} {{ printf "me:%s@" .plain | b64enc }} {{ toJson . }} {{ .sign | urlquery }}{{ end }}
{{ .Values.code }} and {{ .Values.admin.password }}
{{ printf "me:%s" .Values.admin.password | b64enc }} {{ toJson .Values.admin }}
{{ .Values.key }}
`,
}
