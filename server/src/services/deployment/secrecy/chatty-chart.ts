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
  'templates/NOTES.txt': `{{ .Values.code }} and {{ .Values.admin.password }}
{{ printf "me:%s" .Values.admin.password | b64enc }} {{ toJson .Values.admin }}
{{ .Values.key }}
`,
}
