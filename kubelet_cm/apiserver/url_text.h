// Names as parts of URLs and of field selectors, so that none can mean more than itself.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_URL_TEXT_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_URL_TEXT_H_

#include <string>
#include <string_view>

namespace kubelet_cm::apiserver {

// For a segment of a path or a value of a query: all but letters, digits and "-._~" as %XX.
std::string UrlEscape(std::string_view text);

// A value in a field selector: backslash, comma and equals sign with a backslash before.
std::string FieldValue(std::string_view value);

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_URL_TEXT_H_
