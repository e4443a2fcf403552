{{/* What all our pods have in common: who they run as, what they may do, and where the secrets come from. */}}

{{- define "hanpan.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "hanpan.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "hanpan.container.image" -}}
image: {{ include "hanpan.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{- define "hanpan.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Where a pod may run. Takes the values that hold it. */}}
{{- define "hanpan.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Apart from each other, where that is possible. Takes (dict "labels" text). */}}
{{- define "hanpan.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- $.labels | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* A value as text. Helm's numbers are floats, and a whole one of a million would be 1e+06. */}}
{{- define "hanpan.plain" -}}
{{- if kindIs "string" . }}{{ . }}{{ else if eq (float64 (int64 .)) (float64 .) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end -}}

{{/* One variable out of a Secret. Takes (dict "name" "HANPAN_…" "secret" … "key" …). */}}
{{- define "hanpan.env.secret" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}}}
{{- end -}}

{{- define "hanpan.env.store" -}}
{{ include "hanpan.env.secret" (dict "name" "HANPAN_STORE" "secret" .Values.store.existingSecret "key" .Values.store.key) }}
{{- end -}}
