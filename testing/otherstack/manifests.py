"""What pods and claims ask for: devices of RESOURCE, and of the driver DRIVER."""

RESOURCE = "example.com/other"
DRIVER = "other.example.com"
_POD = """
apiVersion: v1
kind: Pod
metadata: {name: %(name)s, uid: %(name)s-uid}
spec:
  containers:
  - name: main
    resources: {limits: {example.com/other: %(devices)s}}
"""


def pod(name, devices):
    return _POD % {"name": name, "devices": devices}


LEARNER = """
apiVersion: v1
kind: Pod
metadata: {name: learner, uid: learner-uid}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: claim}]
  containers:
  - name: main
    resources: {claims: [{name: gpu}]}
"""
CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim, namespace: default, uid: claim-uid}
status:
  reservedFor: [{resource: pods, name: learner, uid: learner-uid}]
  allocation:
    devices:
      results: [{request: gpu, driver: other.example.com, pool: pool, device: dev-0}]
"""
