{{- define "quayside.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "quayside.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quayside.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "quayside.selector" . }}
{{- end -}}

{{- define "quayside.secret" -}}
{{- .Values.secrets.existing | default (include "quayside.fullname" .) -}}
{{- end -}}

{{- define "quayside.image" -}}
{{- $repository := required "image.repository: the place that the image was pushed to" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* Settings that hold a secret, by the key of the Secret that each is read from. */}}
{{- define "quayside.secretSettings" -}}
DATABASE_URL: database-url
QUAYSIDE_SECRET_KEY: secret-key
KEYCLOAK_CLIENT_SECRET: keycloak-client-secret
QUAYSIDE_ADMIN_PASSWORD: admin-password
{{ with .Values.secrets.settings }}{{ toYaml . }}{{ end }}
{{- end -}}
