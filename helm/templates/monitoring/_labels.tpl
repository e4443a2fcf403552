{{/* Our labels, and those that a Prometheus selects by. */}}
{{- define "hanpan.monitoring.labels" -}}
{{ include "hanpan.labels" (dict "root" . "component" "monitoring") }}
{{- with .Values.monitoring.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}
