#!/bin/busybox sh
# The same in an image that has nothing but busybox: runs what it is asked to, in hexadecimal digits, and answers in base64.
busybox=/bin/busybox
trap '' TERM
while read -r line; do
  id=$(echo "$line" | $busybox sed -n 's/.*"id": *\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"probe","version":"1"}}' ;;
    *'"tools/call"'*)
      hex=$(echo "$line" | $busybox sed -n 's/.*"hex": *"\([0-9a-f]*\)".*/\1/p')
      out=$(echo "$hex" | $busybox xxd -r -p | $busybox sh 2>&1 | $busybox base64 -w0)
      result="{\"content\":[{\"type\":\"text\",\"text\":\"base64 $out\"}]}"
      ;;
    *) continue ;;
  esac
  echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$result}"
done
# It does not end with its input.
while true; do $busybox sleep 1; done
