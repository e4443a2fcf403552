{{/* Peers and ports that several policies name. Each is a list item. */}}

{{- define "hanpan.peer.raypods" -}}
- podSelector:
    matchLabels: {{- include "hanpan.raypods" . | nindent 6 }}
{{- end -}}

{{- define "hanpan.peer.prometheus" -}}
- namespaceSelector: {{- toYaml .Values.networkPolicy.prometheus.namespaceSelector | nindent 4 }}
  podSelector: {{- toYaml .Values.networkPolicy.prometheus.podSelector | nindent 4 }}
{{- end -}}

{{/* Names are asked for over both; which pods answer differs from cluster to cluster. */}}
{{- define "hanpan.rule.dns" -}}
- ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
{{- end -}}

{{/* Somewhere outside. Takes (dict "port" … "to" …). */}}
{{- define "hanpan.rule.outside" -}}
- {{ with .to }}to: {{- toYaml . | nindent 4 }}
  {{ end }}ports:
    - {port: {{ .port }}, protocol: TCP}
{{- end -}}
