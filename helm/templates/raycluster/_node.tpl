{{/* A Ray node's pod, whose one container runs `hanpan join`: it starts Ray by the command that KubeRay has made.
Takes (dict "root" . "role" "directory"|"rooms" "values" … "group" …). */}}

{{- define "hanpan.node.template" -}}
{{- $root := .root -}}
{{- $rooms := eq .role "rooms" -}}
metadata:
  labels:
    {{- include "hanpan.labels" (dict "root" $root "component" .role) | nindent 4 }}
    {{- include "hanpan.raypods" $root | nindent 4 }}
  {{- with .values.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  # A node that ends waits for its rooms to leave. Ray itself gets ten seconds, and everything else as many.
  terminationGracePeriodSeconds: {{ ternary (add (int $root.Values.rooms.drainSeconds) 30) 30 $rooms }}
  {{- /* The token of a service account is only for the head's autoscaler; KubeRay names the account by itself. */}}
  automountServiceAccountToken: {{ and (not $rooms) $root.Values.ray.autoscaling.enabled }}
  enableServiceLinks: false
  securityContext: {{- include "hanpan.podSecurity" $root | nindent 4 }}
  {{- include "hanpan.pullSecrets" $root | nindent 2 }}
  {{- include "hanpan.placement" .values | nindent 2 }}
  {{- if $rooms }}
  {{- include "hanpan.spread" (dict "labels" (include "hanpan.roompods" $root)) | nindent 2 }}
  {{- end }}
  containers:
    - name: {{ ternary "ray-worker" "ray-head" $rooms }}
      {{- include "hanpan.container.image" $root | nindent 6 }}
      command: [hanpan, join]
      args: [--role, {{ .role }}]
      securityContext: {{- include "hanpan.containerSecurity" $root | nindent 8 }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      ports:
        {{- if $rooms }}
        - {name: hanpan-metrics, containerPort: 9640}
        {{- else }}
        - {name: gcs-server, containerPort: 6379}
        - {name: directory, containerPort: {{ $root.Values.directory.port }}}
        {{- end }}
        - {name: metrics, containerPort: 8080}
      env:
        - {name: HOME, value: /tmp}
        - name: HANPAN_NAME
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        - name: HANPAN_HOST
          valueFrom: {fieldRef: {fieldPath: status.podIP}}
        - {name: HANPAN_DIRECTORY, value: {{ include "hanpan.directory.address" $root | quote }}}
        {{- include "hanpan.env.secret" (dict "name" "HANPAN_SECRET" "secret" (include "hanpan.secret" $root) "key" "links") | nindent 8 }}
        {{- include "hanpan.env.store" $root | nindent 8 }}
        - {name: HANPAN_LOG_LEVEL, value: {{ $root.Values.logLevel }}}
        {{- if $rooms }}
        - {name: HANPAN_SPARES, value: {{ .values.spares | quote }}}
        - {name: HANPAN_SPARES_MOST, value: {{ .values.sparesMost | default 32 | quote }}}
        - {name: HANPAN_ROOM_MEMORY, value: {{ ternary .values.roomMemory 256 (hasKey .values "roomMemory") | quote }}}
        - {name: HANPAN_LIMIT, value: {{ .values.slots | quote }}}
        - {name: HANPAN_ROOM_PORTS, value: "{{ $root.Values.rooms.ports.from }}-{{ $root.Values.rooms.ports.to }}"}
        - {name: HANPAN_DRAIN_SECONDS, value: {{ $root.Values.rooms.drainSeconds | quote }}}
        {{- with $root.Values.rooms.settings }}
        - {name: HANPAN_ROOM_SETTINGS, value: {{ toJson . | quote }}}
        {{- end }}
        {{- else }}
        - {name: HANPAN_LISTEN, value: "0.0.0.0:{{ $root.Values.directory.port }}"}
        - {name: HANPAN_CHAOS, value: {{ ternary "1" "0" $root.Values.chaos.enabled | quote }}}
        - {name: HANPAN_ROOMS_EACH, value: {{ $root.Values.rooms.each | quote }}}
        {{- with $root.Values.store.keepDays }}
        - {name: HANPAN_KEEP_DAYS, value: {{ include "hanpan.plain" . | quote }}}
        {{- end }}
        {{- if $root.Values.ray.autoscaling.enabled }}
        - {name: HANPAN_HEADROOM, value: {{ $root.Values.ray.autoscaling.headroom | quote }}}
        {{- $least := 0 }}
        {{- range $root.Values.rooms.groups }}
        {{- $least = add $least (int .minReplicas) }}
        {{- end }}
        - {name: HANPAN_LEAST_NODES, value: {{ $least | quote }}}
        {{- end }}
        {{- end }}
        {{- if $root.Values.ray.metrics }}
        - {name: RAY_enable_metrics_collection, value: "1"}
        - {name: RAY_metrics_report_interval_ms, value: "10000"}
        {{- end }}
        {{- range $name, $value := $root.Values.ray.environment }}
        - {name: {{ $name }}, value: {{ $value | quote }}}
        {{- end }}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        - {name: shm, mountPath: /dev/shm}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: {{ $root.Values.ray.tempSize }}}
    - name: shm # Ray's object store, which hanpan does not use: Ray insists on 75 MiB
      emptyDir: {medium: Memory, sizeLimit: 128Mi}
{{- end -}}

{{/* What `ray start` is told, beyond what KubeRay adds. Every port is named, so that none is where rooms listen. */}}
{{- define "hanpan.node.rayStartParams" -}}
node-ip-address: $HANPAN_HOST
node-manager-port: "6380"
object-manager-port: "6381"
runtime-env-agent-port: "6382"
dashboard-agent-grpc-port: "6383"
dashboard-agent-listen-port: "52365" # KubeRay's probes
metrics-export-port: "8080"
min-worker-port: "10002"
max-worker-port: "19999"
object-store-memory: "83886080"
include-log-monitor: "false"
disable-usage-stats: "true"
{{- end -}}
